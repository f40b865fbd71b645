#include "engine/ops/elementwise.hpp"

namespace fusescope {
namespace {

struct LogicalOr {
    template <class V>
    static typename V::Mask eval(V x, V y) {
        return (x != expr::zero<V>()) | (y != expr::zero<V>());
    }
};

}  // namespace

OpDef op_logical_or() {
    return elementwise<LogicalOr, Takes::any>({.name = "LogicalOr",
                                               .functional = "logical_or",
                                               .methods = {"logical_or"},
                                               .doc = "True where one of two elements or both are true.",
                                               .operands = {{"input"}, {"other"}},
                                               .traits = {.commutative = true}},
                                              kNoGradient)
        .with_ascend("aclnnLogicalOr");
}

}  // namespace fusescope
