#include "engine/ops/elementwise.hpp"

namespace fusescope {
namespace {

struct LogicalAnd {
    template <class V>
    static typename V::Mask eval(V x, V y) {
        return (x != expr::zero<V>()) & (y != expr::zero<V>());
    }
};

}  // namespace

OpDef op_logical_and() {
    return elementwise<LogicalAnd, Takes::any>({.name = "LogicalAnd",
                                                .functional = "logical_and",
                                                .methods = {"logical_and"},
                                                .doc = "True where both elements are true, that is not zero.",
                                                .operands = {{"input"}, {"other"}},
                                                .traits = {.commutative = true}},
                                               kNoGradient)
        .with_ascend("aclnnLogicalAnd");
}

}  // namespace fusescope
