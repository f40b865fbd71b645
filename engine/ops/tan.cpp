#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Tan {
    template <class V>
    static V eval(V x) {
        return expr::tan(x);
    }
};

void grad(GradContext& g) {
    using namespace lang;
    const Tensor& y = g.outputs[0];
    const Tensor& dy = g.out_grads[0];
    g.set(0, dy * (y * y + 1.0));
}

}  // namespace

OpDef op_tan() {
    return elementwise<Tan, Takes::floating>({.name = "Tan",
                                              .functional = "tan",
                                              .methods = {"tan"},
                                              .doc = "Tangent of each element, in radians.",
                                              .operands = {{"input"}}},
                                             grad)
        .with_ascend("aclnnTan")
        .with_hazard("nan_of_infinity", true, false);
}

}  // namespace fusescope
