#include "engine/ops/lang.hpp"
#include "engine/ops/matmul_shape.hpp"
#include "fusescope/error.hpp"

namespace fusescope {
namespace {

void infer(InferContext& c) {
    const Shape& x = c.inputs[0].shape;
    const Shape& w = c.inputs[1].shape;
    if (w.rank() != 2) {
        throw UserError(ErrorKind::shape, "Dense",
                        "Dense: the weight must have shape (out, in), but it has " + to_string(w),
                        {to_string(x), to_string(w)});
    }
    Shape result = plan_matmul("Dense", x, w, false, true).result;
    if (c.present[2] && (c.inputs[2].shape.rank() != 1 || c.inputs[2].shape[0] != w[0])) {
        throw UserError(ErrorKind::shape, "Dense",
                        "Dense: the bias must have shape (" + std::to_string(w[0]) + ",), but it has " +
                            to_string(c.inputs[2].shape),
                        {to_string(x), to_string(w), to_string(c.inputs[2].shape)});
    }
    c.result(c.inputs[0].dtype, std::move(result));
}

void cost(std::span<const TensorType> in, std::span<const TensorType> out, const Attrs&, Cost& c) {
    c.flops = static_cast<std::uint64_t>(2 * out[0].shape.count() * in[1].shape[1]);
}

std::vector<Tensor> decompose(std::span<const Tensor> in, const Attrs&) {
    Tensor y = lang::matmul(in[0], in[1], false, true);
    if (in[2].defined()) y = lang::add(y, in[2]);
    return {y};
}

}  // namespace

OpDef op_dense() {
    return OpDef({.name = "Dense",
                  .functional = "dense",
                  .aliases = {"linear"},
                  .doc = "input times the transposed weight, plus bias: input (*, in), weight (out, in), bias (out,).",
                  .operands = {{"input", Accept::floating},
                               {"weight", Accept::floating},
                               {"bias", Accept::floating, OperandKind::optional}},
                  .promotes = true},
                 infer, cost, kNoGradient)
        .with_decompose(decompose)
        .with_ascend("aclnnAddmm");
}

}  // namespace fusescope
