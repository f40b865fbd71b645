#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Mish {
    template <class V>
    static V eval(V x) {
        // From the bound on the factor is zero; without it -Inf would meet it.
        const V bounded = expr::maximum(x, V::of(-750.0));
        const V soft = expr::maximum(x, expr::zero<V>()) + expr::log1p(expr::exp(-expr::abs(x)));
        return bounded * expr::tanh(soft);
    }
};

void grad(GradContext& g) {
    using namespace lang;
    const Tensor& x = g.inputs[0];
    const Tensor t = tanh(softplus(x));
    g.set(0, g.out_grads[0] * (t + x * (1.0 - t * t) * sigmoid(x)));
}

}  // namespace

OpDef op_mish() {
    return elementwise<Mish, Takes::floating>({.name = "Mish",
                                               .functional = "mish",
                                               .doc = "Each element times the hyperbolic tangent of its softplus.",
                                               .operands = {{"input"}}},
                                              grad)
        .with_ascend("aclnnMish");
}

}  // namespace fusescope
