#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Elu {
    template <class V>
    static V eval(const Attrs& attrs, V x) {
        return expr::select(x > expr::zero<V>(), x, V::of(attrs.number(0)) * expr::expm1(x));
    }
};

void grad(GradContext& g) {
    using namespace lang;
    const Tensor& x = g.inputs[0];
    const Tensor& dy = g.out_grads[0];
    g.set(0, select(greater(x, constant(x, 0)), dy, dy * (g.outputs[0] + g.attrs.number(0))));
}

}  // namespace

OpDef op_elu() {
    return elementwise<Elu, Takes::floating>(
               {.name = "Elu",
                .functional = "elu",
                .doc = "Positive elements as they are, negative ones as alpha * (exp(x) - 1).",
                .operands = {{"input"}},
                .attributes = {{"alpha", AttrType::number, 1.0}}},
               grad)
        .with_ascend("aclnnElu");
}

}  // namespace fusescope
