#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct SquaredDifference {
    template <class V>
    static V eval(V x, V y) {
        const V difference = x - y;
        return difference * difference;
    }
};

void grad(GradContext& g) {
    using namespace lang;
    const Tensor slope = g.out_grads[0] * ((g.inputs[0] - g.inputs[1]) * 2.0);
    if (g.need(0)) g.set(0, sum_to(slope, g.inputs[0].shape()));
    if (g.need(1)) g.set(1, sum_to(-slope, g.inputs[1].shape()));
}

}  // namespace

OpDef op_squared_difference() {
    return elementwise<SquaredDifference, Takes::number>({.name = "SquaredDifference",
                                                          .functional = "squared_difference",
                                                          .doc = "Square of the difference of two elements.",
                                                          .operands = {{"input"}, {"other"}},
                                                          .traits = {.commutative = true}},
                                                         grad)
        .with_hazard("inf_minus_inf", true, false)
        .with_hazard("overflow", false, true);
}

}  // namespace fusescope
