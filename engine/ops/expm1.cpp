#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Expm1 {
    template <class V>
    static V eval(V x) {
        return expr::expm1(x);
    }
};

void grad(GradContext& g) {
    using namespace lang;
    const Tensor& y = g.outputs[0];
    const Tensor& dy = g.out_grads[0];
    g.set(0, dy * (y + 1.0));
}

}  // namespace

OpDef op_expm1() {
    return elementwise<Expm1, Takes::floating>({.name = "Expm1",
                                                .functional = "expm1",
                                                .methods = {"expm1"},
                                                .doc = "e to the power of each element, minus one, exact near zero.",
                                                .operands = {{"input"}}},
                                               grad)
        .with_ascend("aclnnExpm1")
        .with_hazard("overflow_of_exp", false, true);
}

}  // namespace fusescope
