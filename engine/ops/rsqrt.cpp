#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Rsqrt {
    template <class V>
    static V eval(V x) {
        return expr::one<V>() / expr::sqrt(x);
    }
};

void grad(GradContext& g) {
    using namespace lang;
    const Tensor& y = g.outputs[0];
    g.set(0, g.out_grads[0] * (y * y * y) * -0.5);
}

}  // namespace

OpDef op_rsqrt() {
    return elementwise<Rsqrt, Takes::floating>({.name = "Rsqrt",
                                                .functional = "rsqrt",
                                                .methods = {"rsqrt"},
                                                .doc = "One over the square root of each element.",
                                                .operands = {{"input"}}},
                                               grad)
        .with_ascend("aclnnRsqrt")
        .with_hazard("sqrt_of_negative", true, false)
        .with_hazard("rsqrt_of_zero", false, true);
}

}  // namespace fusescope
