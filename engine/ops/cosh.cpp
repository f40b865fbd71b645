#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Cosh {
    template <class V>
    static V eval(V x) {
        return expr::cosh(x);
    }
};

void grad(GradContext& g) {
    using namespace lang;
    const Tensor& x = g.inputs[0];
    const Tensor& dy = g.out_grads[0];
    g.set(0, dy * sinh(x));
}

}  // namespace

OpDef op_cosh() {
    return elementwise<Cosh, Takes::floating>({.name = "Cosh",
                                               .functional = "cosh",
                                               .methods = {"cosh"},
                                               .doc = "Hyperbolic cosine of each element.",
                                               .operands = {{"input"}}},
                                              grad)
        .with_ascend("aclnnCosh")
        .with_hazard("overflow_of_exp", false, true);
}

}  // namespace fusescope
