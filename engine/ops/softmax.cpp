#include "engine/ops/softmax.hpp"

namespace fusescope {
namespace {

void kernel(const KernelArgs& args) { softmax::kernel(args, false); }

// dx = y (dy − Σ dy·y)
void grad(GradContext& g) {
    using namespace lang;
    const Tensor& y = g.outputs[0];
    const Tensor weighted = g.out_grads[0] * y;
    const Ints axis = y.rank() ? Ints{g.attrs.integer(0)} : Ints{};
    g.set(0, weighted - y * sum(weighted, axis, true));
}

}  // namespace

OpDef op_softmax() {
    return OpDef({.name = "Softmax",
                  .functional = "softmax",
                  .methods = {"softmax"},
                  .doc = "Exponentials divided by their sum along an axis.",
                  .operands = {{"input", Accept::floating}},
                  .attributes = softmax::attributes(),
                  .promotes = true,
                  .ints_become_float = true},
                 softmax::infer, softmax::cost, grad)
        .with_kernel(kernel)
        .with_ascend("aclnnSoftmax")
        .with_hazard("fully_masked_row", true, false)
        .with_hazard("softmax_of_infinity", true, false);
}

}  // namespace fusescope
