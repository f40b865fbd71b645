#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Greater {
    template <class V>
    static typename V::Mask eval(V x, V y) {
        return x > y;
    }
};

}  // namespace

OpDef op_greater() {
    return elementwise<Greater, Takes::any>({.name = "Greater",
                                             .functional = "greater",
                                             .aliases = {"gt"},
                                             .methods = {"greater", "gt"},
                                             .doc = "True where the first element is larger.",
                                             .operands = {{"input"}, {"other"}}},
                                            kNoGradient)
        .with_ascend("aclnnGtTensor");
}

}  // namespace fusescope
