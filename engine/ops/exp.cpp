#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Exp {
    template <class V>
    static V eval(V x) {
        return expr::exp(x);
    }
};

void grad(GradContext& g) { g.set(0, lang::mul(g.out_grads[0], g.outputs[0])); }

}  // namespace

OpDef op_exp() {
    return elementwise<Exp, Takes::floating>({.name = "Exp",
                                              .functional = "exp",
                                              .methods = {"exp"},
                                              .doc = "e to the power of each element.",
                                              .operands = {{"input"}}},
                                             grad)
        .with_ascend("aclnnExp")
        .with_hazard("overflow_of_exp", false, true);
}

}  // namespace fusescope
