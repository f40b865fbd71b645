#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Equal {
    template <class V>
    static typename V::Mask eval(V x, V y) {
        return x == y;
    }
};

}  // namespace

OpDef op_equal() {
    return elementwise<Equal, Takes::any>({.name = "Equal",
                                           .functional = "equal",
                                           .aliases = {"eq"},
                                           .methods = {"equal", "eq"},
                                           .doc = "True where two elements are equal.",
                                           .operands = {{"input"}, {"other"}},
                                           .traits = {.commutative = true}},
                                          kNoGradient)
        .with_ascend("aclnnEqTensor");
}

}  // namespace fusescope
