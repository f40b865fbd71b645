#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Sinh {
    template <class V>
    static V eval(V x) {
        return expr::sinh(x);
    }
};

void grad(GradContext& g) {
    using namespace lang;
    const Tensor& x = g.inputs[0];
    const Tensor& dy = g.out_grads[0];
    g.set(0, dy * cosh(x));
}

}  // namespace

OpDef op_sinh() {
    return elementwise<Sinh, Takes::floating>({.name = "Sinh",
                                               .functional = "sinh",
                                               .methods = {"sinh"},
                                               .doc = "Hyperbolic sine of each element.",
                                               .operands = {{"input"}}},
                                              grad)
        .with_ascend("aclnnSinh")
        .with_hazard("overflow_of_exp", false, true);
}

}  // namespace fusescope
