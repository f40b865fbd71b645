#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Fmod {
    template <class V>
    static V eval(V x, V y) {
        if constexpr (V::kFloating) {
            return expr::fmod(x, y);
        } else {
            // The quotient of the magnitudes is the one that rounds toward zero.
            const V rest = expr::floor_mod(expr::abs(x), expr::abs(y));
            return expr::select(x < expr::zero<V>(), -rest, rest);
        }
    }
};

void grad(GradContext& g) {
    using namespace lang;
    const Tensor& dy = g.out_grads[0];
    if (g.need(0)) g.set(0, sum_to(dy, g.inputs[0].shape()));
    if (g.need(1)) {
        g.set(1, sum_to(-(dy * trunc_divide(g.inputs[0], g.inputs[1])), g.inputs[1].shape()));
    }
}

}  // namespace

OpDef op_fmod() {
    return elementwise<Fmod, Takes::number>(
               {.name = "Fmod",
                .functional = "fmod",
                .aliases = {"truncate_mod"},
                .methods = {"fmod"},
                .doc = "What division toward zero leaves over; it has the sign of the dividend.",
                .operands = {{"input"}, {"other"}}},
               grad)
        .with_ascend("aclnnFmodTensor")
        .with_hazard("modulo_by_zero", true, false)
        .with_hazard("modulo_of_infinity", true, false);
}

}  // namespace fusescope
