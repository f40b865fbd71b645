#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Log {
    template <class V>
    static V eval(V x) {
        return expr::log(x);
    }
};

void grad(GradContext& g) { g.set(0, lang::div(g.out_grads[0], g.inputs[0])); }

}  // namespace

OpDef op_log() {
    return elementwise<Log, Takes::floating>({.name = "Log",
                                              .functional = "log",
                                              .methods = {"log"},
                                              .doc = "Natural logarithm of each element.",
                                              .operands = {{"input"}}},
                                             grad)
        .with_ascend("aclnnLog")
        .with_hazard("log_of_negative", true, false)
        .with_hazard("log_of_zero", false, true);
}

}  // namespace fusescope
