#include "engine/ops/elementwise.hpp"

namespace fusescope {
namespace {

struct LeftShift {
    template <class V>
    static V eval(V x, V n) {
        return expr::shift_left(x, n);
    }
};

}  // namespace

OpDef op_left_shift() {
    return elementwise<LeftShift, Takes::integer>(
               {.name = "LeftShift",
                .functional = "bitwise_left_shift",
                .methods = {"bitwise_left_shift"},
                .doc = "Shifts the bits of `input` left by `other` places; a count outside its width gives 0.",
                .operands = {{"input"}, {"other"}}},
               kNoGradient)
        .with_ascend("aclnnLeftShift");
}

}  // namespace fusescope
