#include "engine/ops/elementwise.hpp"

namespace fusescope {
namespace {

struct LogicalXor {
    template <class V>
    static typename V::Mask eval(V x, V y) {
        return (x != expr::zero<V>()) ^ (y != expr::zero<V>());
    }
};

}  // namespace

OpDef op_logical_xor() {
    return elementwise<LogicalXor, Takes::any>({.name = "LogicalXor",
                                                .functional = "logical_xor",
                                                .methods = {"logical_xor"},
                                                .doc = "True where exactly one of two elements is true.",
                                                .operands = {{"input"}, {"other"}},
                                                .traits = {.commutative = true}},
                                               kNoGradient)
        .with_ascend("aclnnLogicalXor");
}

}  // namespace fusescope
