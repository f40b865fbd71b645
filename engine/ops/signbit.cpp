#include "engine/ops/elementwise.hpp"

namespace fusescope {
namespace {

// One over -0 is -Inf, which tells it from 0.
struct Signbit {
    template <class V>
    static typename V::Mask eval(V x) {
        return (x < expr::zero<V>()) | (expr::one<V>() / x < expr::zero<V>());
    }
};

}  // namespace

OpDef op_signbit() {
    return elementwise<Signbit, Takes::floating>({.name = "SignBit",
                                                  .functional = "signbit",
                                                  .methods = {"signbit"},
                                                  .doc = "True where the sign bit is set, also for -0.",
                                                  .operands = {{"input"}}},
                                                 kNoGradient)
        .with_ascend("aclnnSignbit");
}

}  // namespace fusescope
