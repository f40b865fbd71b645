#include <algorithm>

#include "engine/ops/common.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

void infer(InferContext& c) {
    const Shape& shape = c.inputs[0].shape;
    if (shape.rank() == 1) {
        c.result(c.inputs[0].dtype, Shape{shape[0], shape[0]});
    } else if (shape.rank() == 2) {
        c.result(c.inputs[0].dtype, Shape{std::min(shape[0], shape[1])});
    } else {
        throw UserError(ErrorKind::shape, c.op.name(),
                        "Diag: a tensor of shape " + to_string(shape) + " is neither a vector nor a matrix",
                        {to_string(shape)}, "ops.diagonal works on any two axes");
    }
}

std::vector<Tensor> decompose(std::span<const Tensor> in, const Attrs&) {
    const Tensor& x = in[0];
    if (x.rank() == 2) return {lang::diagonal(x, 0, 0, 1)};
    const std::int64_t n = x.shape()[0];
    return {lang::diagonal_scatter(lang::zeros(x.dtype(), Shape{n, n}), x, 0, 0, 1)};
}

void grad(GradContext& g) {
    const Tensor& x = g.inputs[0];
    if (x.rank() == 1) {
        g.set(0, lang::diagonal(g.out_grads[0], 0, 0, 1));
    } else {
        g.set(0, lang::diagonal_scatter(lang::zeros_like(x), g.out_grads[0], 0, 0, 1));
    }
}

}  // namespace

OpDef op_diag() {
    return OpDef({.name = "Diag",
                  .functional = "diag",
                  .methods = {"diag"},
                  .doc = "The matrix with a vector on its diagonal, or the diagonal of a matrix.",
                  .operands = {{"input"}}},
                 infer, ops::no_flops, grad)
        .with_decompose(decompose)
        .with_ascend("aclnnDiag");
}

}  // namespace fusescope
