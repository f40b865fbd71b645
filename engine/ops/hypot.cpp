#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Hypot {
    template <class V>
    static V eval(V x, V y) {
        return expr::hypot(x, y);
    }
};

void grad(GradContext& g) {
    using namespace lang;
    const Tensor scaled = g.out_grads[0] / g.outputs[0];
    for (std::size_t i = 0; i < 2; ++i) {
        if (g.need(i)) g.set(i, sum_to(scaled * g.inputs[i], g.inputs[i].shape()));
    }
}

}  // namespace

OpDef op_hypot() {
    return elementwise<Hypot, Takes::floating>(
               {.name = "Hypot",
                .functional = "hypot",
                .methods = {"hypot"},
                .doc = "Length of the hypotenuse over two sides, without overflow in between.",
                .operands = {{"input"}, {"other"}},
                .traits = {.commutative = true}},
               grad)
        .with_hazard("overflow", false, true);
}

}  // namespace fusescope
