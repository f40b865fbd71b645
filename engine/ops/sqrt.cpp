#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Sqrt {
    template <class V>
    static V eval(V x) {
        return expr::sqrt(x);
    }
};

void grad(GradContext& g) {
    using namespace lang;
    g.set(0, g.out_grads[0] / (g.outputs[0] * 2.0));
}

}  // namespace

OpDef op_sqrt() {
    return elementwise<Sqrt, Takes::floating>({.name = "Sqrt",
                                               .functional = "sqrt",
                                               .methods = {"sqrt"},
                                               .doc = "Square root of each element.",
                                               .operands = {{"input"}}},
                                              grad)
        .with_ascend("aclnnSqrt")
        .with_hazard("sqrt_of_negative", true, false);
}

}  // namespace fusescope
