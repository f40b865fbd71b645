#include "engine/ops/elementwise.hpp"

namespace fusescope {
namespace {

struct RightShift {
    template <class V>
    static V eval(V x, V n) {
        return expr::shift_right(x, n);
    }
};

}  // namespace

OpDef op_right_shift() {
    return elementwise<RightShift, Takes::integer>(
               {.name = "RightShift",
                .functional = "bitwise_right_shift",
                .methods = {"bitwise_right_shift"},
                .doc = "Shifts the bits of `input` right by `other` places, keeping the sign.",
                .operands = {{"input"}, {"other"}}},
               kNoGradient)
        .with_ascend("aclnnRightShift");
}

}  // namespace fusescope
