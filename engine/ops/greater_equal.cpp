#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct GreaterEqual {
    template <class V>
    static typename V::Mask eval(V x, V y) {
        return x >= y;
    }
};

}  // namespace

OpDef op_greater_equal() {
    return elementwise<GreaterEqual, Takes::any>({.name = "GreaterEqual",
                                                  .functional = "greater_equal",
                                                  .aliases = {"ge"},
                                                  .methods = {"greater_equal", "ge"},
                                                  .doc = "True where the first element is not smaller.",
                                                  .operands = {{"input"}, {"other"}}},
                                                 kNoGradient)
        .with_ascend("aclnnGeTensor");
}

}  // namespace fusescope
