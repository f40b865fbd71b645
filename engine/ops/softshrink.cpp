#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Softshrink {
    template <class V>
    static V eval(const Attrs& attrs, V x) {
        const V lambda = V::of(attrs.number(0));
        const V low = expr::select(x < -lambda, x + lambda, x * expr::zero<V>());
        return expr::select(x > lambda, x - lambda, low);
    }
};

void grad(GradContext& g) {
    using namespace lang;
    const Tensor& x = g.inputs[0];
    g.set(0, select(greater(abs(x), constant(x, g.attrs.number(0))), g.out_grads[0], constant(x, 0)));
}

}  // namespace

OpDef op_softshrink() {
    return elementwise<Softshrink, Takes::floating>({.name = "SoftShrink",
                                                     .functional = "softshrink",
                                                     .doc = "Each element moved toward zero by lambd, zero within it.",
                                                     .operands = {{"input"}},
                                                     .attributes = {{"lambd", AttrType::number, 0.5}}},
                                                    grad)
        .with_ascend("aclnnSoftshrink");
}

}  // namespace fusescope
