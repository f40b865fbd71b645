#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Addcdiv {
    template <class V>
    static V eval(const Attrs& attrs, V x, V a, V b) {
        return x + V::of(attrs.number(0)) * (a / b);
    }
};

void grad(GradContext& g) {
    using namespace lang;
    const Tensor& dy = g.out_grads[0];
    const Tensor scaled = dy * g.attrs.number(0) / g.inputs[2];
    if (g.need(0)) g.set(0, sum_to(dy, g.inputs[0].shape()));
    if (g.need(1)) g.set(1, sum_to(scaled, g.inputs[1].shape()));
    if (g.need(2)) g.set(2, sum_to(-(scaled * (g.inputs[1] / g.inputs[2])), g.inputs[2].shape()));
}

}  // namespace

OpDef op_addcdiv() {
    return elementwise<Addcdiv, Takes::floating>({.name = "Addcdiv",
                                                  .functional = "addcdiv",
                                                  .methods = {"addcdiv"},
                                                  .doc = "input + value * tensor1 / tensor2.",
                                                  .operands = {{"input"}, {"tensor1"}, {"tensor2"}},
                                                  .attributes = {{"value", AttrType::number, 1.0}}},
                                                 grad)
        .with_ascend("aclnnAddcdiv")
        .with_hazard("zero_over_zero", true, false)
        .with_hazard("inf_over_inf", true, false)
        .with_hazard("division_by_zero", false, true)
        .with_hazard("quotient_overflow", false, true);
}

}  // namespace fusescope
