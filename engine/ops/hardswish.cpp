#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Hardswish {
    template <class V>
    static V eval(V x) {
        const V held = expr::minimum(expr::maximum(x + V::of_int(3), expr::zero<V>()), V::of_int(6));
        return x * held / V::of_int(6);
    }
};

void grad(GradContext& g) {
    using namespace lang;
    const Tensor& x = g.inputs[0];
    const Tensor& dy = g.out_grads[0];
    const Tensor middle = dy * ((x * 2.0 + 3.0) / 6.0);
    const Tensor low = select(less(x, constant(x, -3)), constant(x, 0), middle);
    g.set(0, select(greater(x, constant(x, 3)), dy, low));
}

}  // namespace

OpDef op_hardswish() {
    return elementwise<Hardswish, Takes::floating>({.name = "HSwish",
                                                    .functional = "hardswish",
                                                    .doc = "Each element times its piecewise linear sigmoid.",
                                                    .operands = {{"input"}}},
                                                   grad)
        .with_ascend("aclnnHardswish");
}

}  // namespace fusescope
