#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Log1p {
    template <class V>
    static V eval(V x) {
        return expr::log1p(x);
    }
};

void grad(GradContext& g) {
    using namespace lang;
    const Tensor& x = g.inputs[0];
    const Tensor& dy = g.out_grads[0];
    g.set(0, dy / (x + 1.0));
}

}  // namespace

OpDef op_log1p() {
    return elementwise<Log1p, Takes::floating>({.name = "Log1p",
                                                .functional = "log1p",
                                                .methods = {"log1p"},
                                                .doc = "Natural logarithm of one plus each element, exact near zero.",
                                                .operands = {{"input"}}},
                                               grad)
        .with_ascend("aclnnLog1p")
        .with_hazard("log_of_negative", true, false)
        .with_hazard("log_of_zero", false, true);
}

}  // namespace fusescope
