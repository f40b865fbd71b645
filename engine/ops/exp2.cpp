#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Exp2 {
    template <class V>
    static V eval(V x) {
        return expr::exp2(x);
    }
};

void grad(GradContext& g) {
    using namespace lang;
    const Tensor& y = g.outputs[0];
    const Tensor& dy = g.out_grads[0];
    g.set(0, dy * (y * 0.69314718055994530942));
}

}  // namespace

OpDef op_exp2() {
    return elementwise<Exp2, Takes::floating>({.name = "Exp2",
                                               .functional = "exp2",
                                               .methods = {"exp2"},
                                               .doc = "Two to the power of each element.",
                                               .operands = {{"input"}}},
                                              grad)
        .with_ascend("aclnnExp2")
        .with_hazard("overflow_of_exp", false, true);
}

}  // namespace fusescope
