#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Log10 {
    template <class V>
    static V eval(V x) {
        return expr::log10(x);
    }
};

void grad(GradContext& g) {
    using namespace lang;
    const Tensor& x = g.inputs[0];
    const Tensor& dy = g.out_grads[0];
    g.set(0, dy / (x * 2.30258509299404568402));
}

}  // namespace

OpDef op_log10() {
    return elementwise<Log10, Takes::floating>({.name = "Log10",
                                                .functional = "log10",
                                                .methods = {"log10"},
                                                .doc = "Logarithm to base 10 of each element.",
                                                .operands = {{"input"}}},
                                               grad)
        .with_ascend("aclnnLog10")
        .with_hazard("log_of_negative", true, false)
        .with_hazard("log_of_zero", false, true);
}

}  // namespace fusescope
