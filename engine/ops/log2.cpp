#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Log2 {
    template <class V>
    static V eval(V x) {
        return expr::log2(x);
    }
};

void grad(GradContext& g) {
    using namespace lang;
    const Tensor& x = g.inputs[0];
    const Tensor& dy = g.out_grads[0];
    g.set(0, dy / (x * 0.69314718055994530942));
}

}  // namespace

OpDef op_log2() {
    return elementwise<Log2, Takes::floating>({.name = "Log2",
                                               .functional = "log2",
                                               .methods = {"log2"},
                                               .doc = "Logarithm to base 2 of each element.",
                                               .operands = {{"input"}}},
                                              grad)
        .with_ascend("aclnnLog2")
        .with_hazard("log_of_negative", true, false)
        .with_hazard("log_of_zero", false, true);
}

}  // namespace fusescope
