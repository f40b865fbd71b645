#include "engine/ops/elementwise.hpp"

namespace fusescope {
namespace {

struct BitwiseOr {
    template <class V>
    static V eval(V x, V y) {
        return expr::bit_or(x, y);
    }
};

}  // namespace

OpDef op_bitwise_or() {
    return elementwise<BitwiseOr, Takes::integer_or_bool>({.name = "BitwiseOr",
                                                           .functional = "bitwise_or",
                                                           .methods = {"bitwise_or"},
                                                           .doc = "Bits that are set in one of two ints or both.",
                                                           .operands = {{"input"}, {"other"}},
                                                           .traits = {.commutative = true}},
                                                          kNoGradient)
        .with_ascend("aclnnBitwiseOrTensor");
}

}  // namespace fusescope
