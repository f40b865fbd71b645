#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Hardshrink {
    template <class V>
    static V eval(const Attrs& attrs, V x) {
        return expr::select(expr::abs(x) <= V::of(attrs.number(0)), expr::zero<V>(), x);
    }
};

void grad(GradContext& g) {
    using namespace lang;
    const Tensor& x = g.inputs[0];
    g.set(0, select(greater(abs(x), constant(x, g.attrs.number(0))), g.out_grads[0], constant(x, 0)));
}

}  // namespace

OpDef op_hardshrink() {
    return elementwise<Hardshrink, Takes::floating>(
               {.name = "HShrink",
                .functional = "hardshrink",
                .methods = {"hardshrink"},
                .doc = "Zero for elements within lambd of zero, all others as they are.",
                .operands = {{"input"}},
                .attributes = {{"lambd", AttrType::number, 0.5}}},
               grad)
        .with_ascend("aclnnHardshrink");
}

}  // namespace fusescope
