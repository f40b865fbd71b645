#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Abs {
    template <class V>
    static V eval(V x) {
        return expr::abs(x);
    }
};

void grad(GradContext& g) {
    using namespace lang;
    const Tensor& x = g.inputs[0];
    const Tensor& dy = g.out_grads[0];
    g.set(0, dy * sign(x));
}

}  // namespace

OpDef op_abs() {
    return elementwise<Abs, Takes::number>({.name = "Abs",
                                            .functional = "abs",
                                            .aliases = {"absolute"},
                                            .methods = {"abs", "absolute"},
                                            .doc = "Absolute value of each element.",
                                            .operands = {{"input"}}},
                                           grad)
        .with_ascend("aclnnAbs");
}

}  // namespace fusescope
