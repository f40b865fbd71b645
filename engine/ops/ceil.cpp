#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Ceil {
    template <class V>
    static V eval(V x) {
        if constexpr (V::kFloating) {
            return expr::ceil(x);
        } else {
            return x;
        }
    }
};

void grad(GradContext& g) {
    using namespace lang;
    const Tensor& dy = g.out_grads[0];
    g.set(0, zeros_like(dy));
}

}  // namespace

OpDef op_ceil() {
    return elementwise<Ceil, Takes::number>({.name = "Ceil",
                                             .functional = "ceil",
                                             .methods = {"ceil"},
                                             .doc = "The smallest whole number that is not below each element.",
                                             .operands = {{"input"}}},
                                            grad)
        .with_ascend("aclnnCeil");
}

}  // namespace fusescope
