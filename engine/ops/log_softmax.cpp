#include "engine/ops/softmax.hpp"

namespace fusescope {
namespace {

void kernel(const KernelArgs& args) { softmax::kernel(args, true); }

// dx = dy − softmax(x) Σ dy
void grad(GradContext& g) {
    using namespace lang;
    const Tensor& y = g.outputs[0];
    const Ints axis = y.rank() ? Ints{g.attrs.integer(0)} : Ints{};
    g.set(0, g.out_grads[0] - exp(y) * sum(g.out_grads[0], axis, true));
}

}  // namespace

OpDef op_log_softmax() {
    return OpDef({.name = "LogSoftmax",
                  .functional = "log_softmax",
                  .methods = {"log_softmax"},
                  .doc = "Logarithm of the softmax along an axis, without underflow.",
                  .operands = {{"logits", Accept::floating}},
                  .attributes = softmax::attributes(),
                  .promotes = true,
                  .ints_become_float = true},
                 softmax::infer, softmax::cost, grad)
        .with_kernel(kernel)
        .with_ascend("aclnnLogSoftmax")
        .with_hazard("fully_masked_row", true, false)
        .with_hazard("softmax_of_infinity", true, false);
}

}  // namespace fusescope
