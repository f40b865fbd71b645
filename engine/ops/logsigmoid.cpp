#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Logsigmoid {
    template <class V>
    static V eval(V x) {
        return expr::minimum(x, expr::zero<V>()) - expr::log1p(expr::exp(-expr::abs(x)));
    }
};

void grad(GradContext& g) {
    using namespace lang;
    const Tensor& x = g.inputs[0];
    const Tensor& dy = g.out_grads[0];
    g.set(0, dy * sigmoid(-x));
}

}  // namespace

OpDef op_logsigmoid() {
    return elementwise<Logsigmoid, Takes::floating>({.name = "LogSigmoid",
                                                     .functional = "logsigmoid",
                                                     .doc = "Logarithm of the sigmoid, without overflow.",
                                                     .operands = {{"input"}}},
                                                    grad)
        .with_ascend("aclnnLogSigmoid");
}

}  // namespace fusescope
