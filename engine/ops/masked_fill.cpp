#include "engine/ops/common.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

void infer(InferContext& c) {
    Shape shape = broadcast_or_throw(c.op.name(), c.inputs[0].shape, c.inputs[1].shape);
    c.result(c.inputs[0].dtype, broadcast_or_throw(c.op.name(), shape, c.inputs[2].shape));
}

std::vector<Tensor> decompose(std::span<const Tensor> in, const Attrs&) { return {lang::select(in[1], in[2], in[0])}; }

void grad(GradContext& g) {
    const Tensor& dy = g.out_grads[0];
    const Tensor none = lang::constant(dy, 0);
    if (g.need(0)) g.set(0, lang::sum_to(lang::select(g.inputs[1], none, dy), g.inputs[0].shape()));
    if (g.need(2)) g.set(2, lang::sum_to(lang::select(g.inputs[1], dy, none), g.inputs[2].shape()));
}

}  // namespace

OpDef op_masked_fill() {
    return OpDef({.name = "MaskedFill",
                  .functional = "masked_fill",
                  .methods = {"masked_fill"},
                  .doc = "A value where the mask is true, elsewhere the tensor's own elements.",
                  .operands = {{"input_x"}, {"mask", Accept::boolean}, {"value"}},
                  .promotes = true},
                 infer, ops::output_flops, grad)
        .with_decompose(decompose)
        .with_ascend("aclnnInplaceMaskedFillTensor");
}

}  // namespace fusescope
