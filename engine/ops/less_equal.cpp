#include "engine/ops/elementwise.hpp"

namespace fusescope {
namespace {

struct LessEqual {
    template <class V>
    static typename V::Mask eval(V x, V y) {
        return x <= y;
    }
};

}  // namespace

OpDef op_less_equal() {
    return elementwise<LessEqual, Takes::any>({.name = "LessEqual",
                                               .functional = "less_equal",
                                               .aliases = {"le"},
                                               .methods = {"less_equal", "le"},
                                               .doc = "True where the first element is not larger.",
                                               .operands = {{"input"}, {"other"}}},
                                              kNoGradient)
        .with_ascend("aclnnLeTensor");
}

}  // namespace fusescope
