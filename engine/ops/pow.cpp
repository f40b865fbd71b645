#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Pow {
    template <class V>
    static V eval(V x, V y) {
        return expr::pow(x, y);
    }
};

void grad(GradContext& g) {
    using namespace lang;
    const Tensor& x = g.inputs[0];
    const Tensor& y = g.inputs[1];
    const Tensor& dy = g.out_grads[0];
    if (g.need(0)) g.set(0, sum_to(dy * (y * pow(x, y + -1.0)), x.shape()));
    if (g.need(1)) {
        // x^y does not change with y at x = 0 (for y > 0), where the logarithm has no value.
        const Tensor zero = constant(x, 0);
        const Tensor logs = select(equal(x, zero), zero, log(x));
        g.set(1, sum_to(dy * g.outputs[0] * logs, y.shape()));
    }
}

}  // namespace

OpDef op_pow() {
    return elementwise<Pow, Takes::floating>({.name = "Pow",
                                              .functional = "pow",
                                              .methods = {"pow"},
                                              .doc = "Each element of `input` to the power of `exponent`.",
                                              .operands = {{"input"}, {"exponent"}}},
                                             grad)
        .with_ascend("aclnnPowTensorTensor")
        .with_hazard("power_of_negative_base", true, false)
        .with_hazard("power_of_zero", false, true)
        .with_hazard("overflow_of_pow", false, true);
}

}  // namespace fusescope
