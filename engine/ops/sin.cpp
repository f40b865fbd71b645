#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Sin {
    template <class V>
    static V eval(V x) {
        return expr::sin(x);
    }
};

void grad(GradContext& g) {
    using namespace lang;
    const Tensor& x = g.inputs[0];
    const Tensor& dy = g.out_grads[0];
    g.set(0, dy * cos(x));
}

}  // namespace

OpDef op_sin() {
    return elementwise<Sin, Takes::floating>({.name = "Sin",
                                              .functional = "sin",
                                              .methods = {"sin"},
                                              .doc = "Sine of each element, in radians.",
                                              .operands = {{"input"}}},
                                             grad)
        .with_ascend("aclnnSin")
        .with_hazard("nan_of_infinity", true, false);
}

}  // namespace fusescope
