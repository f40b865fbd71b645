#include "engine/ops/elementwise.hpp"

namespace fusescope {
namespace {

struct Invert {
    template <class V>
    static V eval(V x) {
        return expr::bit_not(x);
    }
};

}  // namespace

OpDef op_invert() {
    return elementwise<Invert, Takes::integer>({.name = "Invert",
                                                .functional = "invert",
                                                .aliases = {"bitwise_not"},
                                                .methods = {"invert", "bitwise_not"},
                                                .doc = "All bits of an int turned over.",
                                                .operands = {{"input"}}},
                                               kNoGradient)
        .with_ascend("aclnnBitwiseNot");
}

}  // namespace fusescope
