#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Reciprocal {
    template <class V>
    static V eval(V x) {
        return expr::one<V>() / x;
    }
};

void grad(GradContext& g) {
    using namespace lang;
    const Tensor& y = g.outputs[0];
    const Tensor& dy = g.out_grads[0];
    g.set(0, -(dy * (y * y)));
}

}  // namespace

OpDef op_reciprocal() {
    return elementwise<Reciprocal, Takes::floating>({.name = "Reciprocal",
                                                     .functional = "reciprocal",
                                                     .aliases = {"inverse"},
                                                     .methods = {"reciprocal"},
                                                     .doc = "One over each element.",
                                                     .operands = {{"input"}}},
                                                    grad)
        .with_ascend("aclnnReciprocal")
        .with_hazard("division_by_zero", false, true)
        .with_hazard("quotient_overflow", false, true);
}

}  // namespace fusescope
