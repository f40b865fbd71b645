#include "engine/ops/elementwise.hpp"

namespace fusescope {
namespace {

struct BitwiseXor {
    template <class V>
    static V eval(V x, V y) {
        return expr::bit_xor(x, y);
    }
};

}  // namespace

OpDef op_bitwise_xor() {
    return elementwise<BitwiseXor, Takes::integer_or_bool>({.name = "BitwiseXor",
                                                            .functional = "bitwise_xor",
                                                            .methods = {"bitwise_xor"},
                                                            .doc = "Bits that are set in exactly one of two ints.",
                                                            .operands = {{"input"}, {"other"}},
                                                            .traits = {.commutative = true}},
                                                           kNoGradient)
        .with_ascend("aclnnBitwiseXorTensor");
}

}  // namespace fusescope
