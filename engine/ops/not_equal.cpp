#include "engine/ops/elementwise.hpp"

namespace fusescope {
namespace {

struct NotEqual {
    template <class V>
    static typename V::Mask eval(V x, V y) {
        return x != y;
    }
};

}  // namespace

OpDef op_not_equal() {
    return elementwise<NotEqual, Takes::any>({.name = "NotEqual",
                                              .functional = "not_equal",
                                              .aliases = {"ne"},
                                              .methods = {"not_equal", "ne"},
                                              .doc = "True where two elements differ; a NaN differs from everything.",
                                              .operands = {{"input"}, {"other"}},
                                              .traits = {.commutative = true}},
                                             kNoGradient)
        .with_ascend("aclnnNeTensor");
}

}  // namespace fusescope
