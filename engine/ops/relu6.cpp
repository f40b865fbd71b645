#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Relu6 {
    template <class V>
    static V eval(V x) {
        return expr::minimum(expr::maximum(x, expr::zero<V>()), V::of_int(6));
    }
};

void grad(GradContext& g) {
    using namespace lang;
    const Tensor& x = g.inputs[0];
    const Tensor none = constant(x, 0);
    const Tensor below = select(less(x, constant(x, 6)), g.out_grads[0], none);
    g.set(0, select(greater(x, constant(x, 0)), below, none));
}

}  // namespace

OpDef op_relu6() {
    return elementwise<Relu6, Takes::number>({.name = "ReLU6",
                                              .functional = "relu6",
                                              .doc = "Each element held between 0 and 6.",
                                              .operands = {{"input"}}},
                                             grad)
        .with_ascend("aclnnRelu6");
}

}  // namespace fusescope
