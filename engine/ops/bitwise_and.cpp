#include "engine/ops/elementwise.hpp"

namespace fusescope {
namespace {

struct BitwiseAnd {
    template <class V>
    static V eval(V x, V y) {
        return expr::bit_and(x, y);
    }
};

}  // namespace

OpDef op_bitwise_and() {
    return elementwise<BitwiseAnd, Takes::integer_or_bool>({.name = "BitwiseAnd",
                                                            .functional = "bitwise_and",
                                                            .methods = {"bitwise_and"},
                                                            .doc = "Bits that are set in both ints.",
                                                            .operands = {{"input"}, {"other"}},
                                                            .traits = {.commutative = true}},
                                                           kNoGradient)
        .with_ascend("aclnnBitwiseAndTensor");
}

}  // namespace fusescope
