#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Relu {
    // max(x, 0) that lets NaN through.
    template <class V>
    static V eval(V x) {
        return expr::maximum(x, expr::zero<V>());
    }
};

void grad(GradContext& g) {
    const Tensor& y = g.outputs[0];
    g.set(0, lang::select(lang::greater(y, lang::constant(y, 0)), g.out_grads[0], lang::constant(y, 0)));
}

}  // namespace

OpDef op_relu() {
    return elementwise<Relu, Takes::number>({.name = "ReLU",
                                             .functional = "relu",
                                             .methods = {"relu"},
                                             .doc = "The larger of each element and zero.",
                                             .operands = {{"input"}}},
                                            grad)
        .with_ascend("aclnnRelu");
}

}  // namespace fusescope
