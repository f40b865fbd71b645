#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Div {
    template <class V>
    static V eval(V x, V y) {
        return x / y;
    }
};

void grad(GradContext& g) {
    using namespace lang;
    const Tensor& dy = g.out_grads[0];
    if (g.need(0)) g.set(0, sum_to(dy / g.inputs[1], g.inputs[0].shape()));
    if (g.need(1)) g.set(1, sum_to(-(dy * g.outputs[0]) / g.inputs[1], g.inputs[1].shape()));
}

}  // namespace

OpDef op_div() {
    return elementwise<Div, Takes::floating>(
               {.name = "Div",
                .functional = "div",
                .aliases = {"divide", "true_divide"},
                .methods = {"div"},
                .doc = "True quotient of two tensors with broadcasting; ints give floats.",
                .operands = {{"input"}, {"other"}}},
               grad)
        .with_ascend("aclnnDiv")
        .with_hazard("zero_over_zero", true, false)
        .with_hazard("inf_over_inf", true, false)
        .with_hazard("division_by_zero", false, true)
        .with_hazard("quotient_overflow", false, true);
}

}  // namespace fusescope
