#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Softsign {
    template <class V>
    static V eval(V x) {
        return x / (expr::one<V>() + expr::abs(x));
    }
};

void grad(GradContext& g) {
    using namespace lang;
    const Tensor below = abs(g.inputs[0]) + 1.0;
    g.set(0, g.out_grads[0] / (below * below));
}

}  // namespace

OpDef op_softsign() {
    return elementwise<Softsign, Takes::floating>({.name = "Softsign",
                                                   .functional = "softsign",
                                                   .doc = "Each element over one plus its absolute value.",
                                                   .operands = {{"input"}}},
                                                  grad)
        .with_hazard("inf_over_inf", true, false);
}

}  // namespace fusescope
