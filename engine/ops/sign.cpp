#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Sign {
    template <class V>
    static V eval(V x) {
        const V ones = expr::one<V>();
        const V positive = expr::select(x > expr::zero<V>(), ones, x);
        return expr::select(x < expr::zero<V>(), V::of_int(-1), positive);
    }
};

void grad(GradContext& g) {
    using namespace lang;
    const Tensor& dy = g.out_grads[0];
    g.set(0, zeros_like(dy));
}

}  // namespace

OpDef op_sign() {
    return elementwise<Sign, Takes::number>({.name = "Sign",
                                             .functional = "sign",
                                             .aliases = {"sgn"},
                                             .methods = {"sign", "sgn"},
                                             .doc = "-1, 0 or 1 after the sign of each element; NaN stays.",
                                             .operands = {{"input"}}},
                                            grad)
        .with_ascend("aclnnSign");
}

}  // namespace fusescope
