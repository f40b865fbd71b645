#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Atan2 {
    template <class V>
    static V eval(V y, V x) {
        return expr::atan2(y, x);
    }
};

void grad(GradContext& g) {
    using namespace lang;
    const Tensor& y = g.inputs[0];
    const Tensor& x = g.inputs[1];
    const Tensor scaled = g.out_grads[0] / (x * x + y * y);
    if (g.need(0)) g.set(0, sum_to(scaled * x, y.shape()));
    if (g.need(1)) g.set(1, sum_to(-(scaled * y), x.shape()));
}

}  // namespace

OpDef op_atan2() {
    return elementwise<Atan2, Takes::floating>({.name = "Atan2",
                                                .functional = "atan2",
                                                .aliases = {"arctan2"},
                                                .methods = {"atan2", "arctan2"},
                                                .doc = "Angle of the point (other, input), in its own quadrant.",
                                                .operands = {{"input"}, {"other"}}},
                                               grad)
        .with_ascend("aclnnAtan2");
}

}  // namespace fusescope
