#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Hardsigmoid {
    template <class V>
    static V eval(V x) {
        const V line = (x + V::of_int(3)) / V::of_int(6);
        return expr::minimum(expr::maximum(line, expr::zero<V>()), expr::one<V>());
    }
};

void grad(GradContext& g) {
    using namespace lang;
    const Tensor& x = g.inputs[0];
    const Tensor none = constant(x, 0);
    const Tensor below = select(less(x, constant(x, 3)), g.out_grads[0] / 6.0, none);
    g.set(0, select(greater(x, constant(x, -3)), below, none));
}

}  // namespace

OpDef op_hardsigmoid() {
    return elementwise<Hardsigmoid, Takes::floating>(
               {.name = "HSigmoid",
                .functional = "hardsigmoid",
                .doc = "Piecewise linear sigmoid: (x + 3) / 6 held between 0 and 1.",
                .operands = {{"input"}}},
               grad)
        .with_ascend("aclnnHardsigmoid");
}

}  // namespace fusescope
