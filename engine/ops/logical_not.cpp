#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct LogicalNot {
    template <class V>
    static typename V::Mask eval(V x) {
        return x == expr::zero<V>();
    }
};

}  // namespace

OpDef op_logical_not() {
    return elementwise<LogicalNot, Takes::any>({.name = "LogicalNot",
                                                .functional = "logical_not",
                                                .methods = {"logical_not"},
                                                .doc = "True where an element is zero or False.",
                                                .operands = {{"input"}}},
                                               kNoGradient)
        .with_ascend("aclnnLogicalNot");
}

}  // namespace fusescope
