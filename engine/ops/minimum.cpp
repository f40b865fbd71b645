#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Minimum {
    template <class V>
    static V eval(V x, V y) {
        return expr::minimum(x, y);
    }
};

void grad(GradContext& g) {
    using namespace lang;
    const Tensor first = less_equal(g.inputs[0], g.inputs[1]);
    const Tensor none = constant(g.out_grads[0], 0);
    if (g.need(0)) g.set(0, sum_to(select(first, g.out_grads[0], none), g.inputs[0].shape()));
    if (g.need(1)) g.set(1, sum_to(select(first, none, g.out_grads[0]), g.inputs[1].shape()));
}

}  // namespace

OpDef op_minimum() {
    return elementwise<Minimum, Takes::number>({.name = "Minimum",
                                                .functional = "minimum",
                                                .methods = {"minimum"},
                                                .doc = "The smaller of two elements; NaN when either is NaN.",
                                                .operands = {{"input"}, {"other"}},
                                                .traits = {.commutative = true}},
                                               grad)
        .with_ascend("aclnnMinimum");
}

}  // namespace fusescope
