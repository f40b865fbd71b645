#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Acosh {
    template <class V>
    static V eval(V x) {
        return expr::acosh(x);
    }
};

void grad(GradContext& g) {
    using namespace lang;
    const Tensor& x = g.inputs[0];
    const Tensor& dy = g.out_grads[0];
    g.set(0, dy * rsqrt(x * x + -1.0));
}

}  // namespace

OpDef op_acosh() {
    return elementwise<Acosh, Takes::floating>({.name = "Acosh",
                                                .functional = "acosh",
                                                .aliases = {"arccosh"},
                                                .methods = {"acosh", "arccosh"},
                                                .doc = "Inverse hyperbolic cosine of each element.",
                                                .operands = {{"input"}}},
                                               grad)
        .with_ascend("aclnnAcosh")
        .with_hazard("acosh_below_one", true, false);
}

}  // namespace fusescope
