#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct TruncDivide {
    template <class V>
    static V eval(V x, V y) {
        if constexpr (V::kFloating) {
            return expr::trunc(x / y);
        } else {
            const V quotient = expr::floor_div(expr::abs(x), expr::abs(y));
            const auto opposite = (x < expr::zero<V>()) ^ (y < expr::zero<V>());
            return expr::select(opposite, -quotient, quotient);
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

OpDef op_trunc_divide() {
    return elementwise<TruncDivide, Takes::number>({.name = "TruncateDiv",
                                                    .functional = "truncate_div",
                                                    .doc = "Quotient rounded toward zero; ints by zero give 0.",
                                                    .operands = {{"input"}, {"other"}}},
                                                   grad)
        .with_hazard("zero_over_zero", true, false)
        .with_hazard("inf_over_inf", true, false)
        .with_hazard("division_by_zero", false, true)
        .with_hazard("quotient_overflow", false, true);
}

}  // namespace fusescope
