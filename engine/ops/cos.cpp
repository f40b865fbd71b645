#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Cos {
    template <class V>
    static V eval(V x) {
        return expr::cos(x);
    }
};

void grad(GradContext& g) {
    using namespace lang;
    const Tensor& x = g.inputs[0];
    const Tensor& dy = g.out_grads[0];
    g.set(0, -(dy * sin(x)));
}

}  // namespace

OpDef op_cos() {
    return elementwise<Cos, Takes::floating>({.name = "Cos",
                                              .functional = "cos",
                                              .methods = {"cos"},
                                              .doc = "Cosine of each element, in radians.",
                                              .operands = {{"input"}}},
                                             grad)
        .with_ascend("aclnnCos")
        .with_hazard("nan_of_infinity", true, false);
}

}  // namespace fusescope
