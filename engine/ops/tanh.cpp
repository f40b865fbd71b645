#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Tanh {
    template <class V>
    static V eval(V x) {
        return expr::tanh(x);
    }
};

void grad(GradContext& g) {
    using namespace lang;
    const Tensor& y = g.outputs[0];
    const Tensor& dy = g.out_grads[0];
    g.set(0, dy * (1.0 - y * y));
}

}  // namespace

OpDef op_tanh() {
    return elementwise<Tanh, Takes::floating>({.name = "Tanh",
                                               .functional = "tanh",
                                               .methods = {"tanh"},
                                               .doc = "Hyperbolic tangent of each element.",
                                               .operands = {{"input"}}},
                                              grad)
        .with_ascend("aclnnTanh");
}

}  // namespace fusescope
