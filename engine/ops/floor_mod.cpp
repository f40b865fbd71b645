#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct FloorMod {
    template <class V>
    static V eval(V x, V y) {
        if constexpr (V::kFloating) {
            const V zero = expr::zero<V>();
            const V rest = expr::fmod(x, y);
            const auto opposite = (rest != zero) & ((rest < zero) ^ (y < zero));
            return expr::select(opposite, rest + y, rest);
        } else {
            return expr::floor_mod(x, y);
        }
    }
};

void grad(GradContext& g) {
    using namespace lang;
    const Tensor& dy = g.out_grads[0];
    if (g.need(0)) g.set(0, sum_to(dy, g.inputs[0].shape()));
    if (g.need(1)) {
        g.set(1, sum_to(-(dy * floor_divide(g.inputs[0], g.inputs[1])), g.inputs[1].shape()));
    }
}

}  // namespace

OpDef op_floor_mod() {
    return elementwise<FloorMod, Takes::number>(
               {.name = "FloorMod",
                .functional = "floor_mod",
                .aliases = {"mod", "remainder"},
                .methods = {"floor_mod", "mod", "remainder"},
                .doc = "What floor division leaves over; it has the sign of the divisor.",
                .operands = {{"input"}, {"other"}}},
               grad)
        .with_ascend("aclnnRemainderTensorTensor")
        .with_hazard("modulo_by_zero", true, false)
        .with_hazard("modulo_of_infinity", true, false);
}

}  // namespace fusescope
