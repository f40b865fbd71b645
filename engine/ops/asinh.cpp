#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Asinh {
    template <class V>
    static V eval(V x) {
        return expr::asinh(x);
    }
};

void grad(GradContext& g) {
    using namespace lang;
    const Tensor& x = g.inputs[0];
    const Tensor& dy = g.out_grads[0];
    g.set(0, dy * rsqrt(x * x + 1.0));
}

}  // namespace

OpDef op_asinh() {
    return elementwise<Asinh, Takes::floating>({.name = "Asinh",
                                                .functional = "asinh",
                                                .aliases = {"arcsinh"},
                                                .methods = {"asinh", "arcsinh"},
                                                .doc = "Inverse hyperbolic sine of each element.",
                                                .operands = {{"input"}}},
                                               grad)
        .with_ascend("aclnnAsinh");
}

}  // namespace fusescope
