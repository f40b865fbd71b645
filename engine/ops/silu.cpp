#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Silu {
    template <class V>
    static V eval(V x) {
        // From the bound on the quotient is zero; without it -Inf would be divided by Inf.
        const V bounded = expr::maximum(x, V::of(-750.0));
        return bounded / (expr::one<V>() + expr::exp(-bounded));
    }
};

void grad(GradContext& g) {
    using namespace lang;
    const Tensor s = sigmoid(g.inputs[0]);
    g.set(0, g.out_grads[0] * (s * (g.inputs[0] * (1.0 - s) + 1.0)));
}

}  // namespace

OpDef op_silu() {
    return elementwise<Silu, Takes::floating>({.name = "SiLU",
                                               .functional = "silu",
                                               .aliases = {"swish"},
                                               .methods = {"silu"},
                                               .doc = "Each element times its sigmoid.",
                                               .operands = {{"input"}}},
                                              grad)
        .with_ascend("aclnnSilu");
}

}  // namespace fusescope
