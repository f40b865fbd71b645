#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Less {
    template <class V>
    static typename V::Mask eval(V x, V y) {
        return x < y;
    }
};

}  // namespace

OpDef op_less() {
    return elementwise<Less, Takes::any>({.name = "Less",
                                          .functional = "less",
                                          .aliases = {"lt"},
                                          .methods = {"less", "lt"},
                                          .doc = "True where the first element is smaller.",
                                          .operands = {{"input"}, {"other"}}},
                                         kNoGradient)
        .with_ascend("aclnnLtTensor");
}

}  // namespace fusescope
