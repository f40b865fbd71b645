#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Sigmoid {
    template <class V>
    static V eval(V x) {
        return expr::one<V>() / (expr::one<V>() + expr::exp(-x));
    }
};

void grad(GradContext& g) {
    using namespace lang;
    const Tensor& y = g.outputs[0];
    const Tensor& dy = g.out_grads[0];
    g.set(0, dy * (y * (1.0 - y)));
}

}  // namespace

OpDef op_sigmoid() {
    return elementwise<Sigmoid, Takes::floating>({.name = "Sigmoid",
                                                  .functional = "sigmoid",
                                                  .aliases = {"expit"},
                                                  .methods = {"sigmoid"},
                                                  .doc = "One over one plus e to the power of minus each element.",
                                                  .operands = {{"input"}}},
                                                 grad)
        .with_ascend("aclnnSigmoid");
}

}  // namespace fusescope
