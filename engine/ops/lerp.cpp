#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Lerp {
    template <class V>
    static V eval(V start, V end, V weight) {
        return start + weight * (end - start);
    }
};

void grad(GradContext& g) {
    using namespace lang;
    const Tensor& dy = g.out_grads[0];
    if (g.need(0)) g.set(0, sum_to(dy * (1.0 - g.inputs[2]), g.inputs[0].shape()));
    if (g.need(1)) g.set(1, sum_to(dy * g.inputs[2], g.inputs[1].shape()));
    if (g.need(2)) g.set(2, sum_to(dy * (g.inputs[1] - g.inputs[0]), g.inputs[2].shape()));
}

}  // namespace

OpDef op_lerp() {
    return elementwise<Lerp, Takes::floating>(
               {.name = "Lerp",
                .functional = "lerp",
                .methods = {"lerp"},
                .doc = "The point between two elements that `weight` tells: input + weight * (end - input).",
                .operands = {{"input"}, {"end"}, {"weight"}}},
               grad)
        .with_ascend("aclnnLerp")
        .with_hazard("inf_minus_inf", true, false);
}

}  // namespace fusescope
