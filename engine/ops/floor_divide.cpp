#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct FloorDivide {
    template <class V>
    static V eval(V x, V y) {
        if constexpr (V::kFloating) {
            // What is left over is taken off first, so that x == floor_divide(x, y) * y + floor_mod(x, y) as closely as
            // can be.
            const V zero = expr::zero<V>();
            const V rest = expr::fmod(x, y);
            const V exact = (x - rest) / y;
            const auto opposite = (rest != zero) & ((rest < zero) ^ (y < zero));
            const V down = expr::select(opposite, exact - expr::one<V>(), exact);
            return expr::select(y == zero, x / y, expr::rint(down));
        } else {
            return expr::floor_div(x, y);
        }
    }
};

// A staircase: flat wherever it has a slope.
void grad(GradContext& g) {
    for (std::size_t i = 0; i < 2; ++i) {
        if (g.need(i)) g.set(i, lang::zeros_like(g.inputs[i]));
    }
}

}  // namespace

OpDef op_floor_divide() {
    return elementwise<FloorDivide, Takes::number>({.name = "FloorDiv",
                                                    .functional = "floor_divide",
                                                    .aliases = {"floor_div"},
                                                    .methods = {"floor_divide", "floor_div"},
                                                    .doc = "Quotient rounded down; ints by zero give 0.",
                                                    .operands = {{"input"}, {"other"}}},
                                                   grad)
        .with_ascend("aclnnFloorDivide")
        .with_hazard("zero_over_zero", true, false)
        .with_hazard("inf_over_inf", true, false)
        .with_hazard("modulo_of_infinity", true, false)
        .with_hazard("division_by_zero", false, true)
        .with_hazard("quotient_overflow", false, true);
}

}  // namespace fusescope
