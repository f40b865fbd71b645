#include "engine/ops/elementwise.hpp"

namespace fusescope {
namespace {

struct Isclose {
    template <class V>
    static typename V::Mask eval(const Attrs& attrs, V x, V y) {
        const V infinite = V::of(std::numeric_limits<double>::infinity());
        const V bound = V::of(attrs.number(1)) + V::of(attrs.number(0)) * expr::abs(y);
        return (x == y) | ((expr::abs(x - y) <= bound) & (expr::abs(y) < infinite));
    }
};

}  // namespace

OpDef op_isclose() {
    return elementwise<Isclose, Takes::floating>(
               {.name = "IsClose",
                .functional = "isclose",
                .methods = {"isclose"},
                .doc = "True where two elements differ by at most atol + rtol * |other|.",
                .operands = {{"input"}, {"other"}},
                .attributes = {{"rtol", AttrType::number, 1e-5}, {"atol", AttrType::number, 1e-8}}},
               kNoGradient)
        .with_ascend("aclnnIsClose");
}

}  // namespace fusescope
