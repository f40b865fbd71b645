#include "engine/core/broadcast.hpp"
#include "engine/ops/loss.hpp"
#include "engine/ops/op_ids.hpp"

namespace fusescope {
namespace {

void infer(InferContext& c) {
    const Shape s = broadcast_or_throw("MSELoss", c.inputs[0].shape, c.inputs[1].shape);
    c.result(c.inputs[0].dtype, loss::reduced_shape("MSELoss", s, c.attrs.string(0)));
}

std::vector<Tensor> decompose(std::span<const Tensor> in, const Attrs& attrs) {
    using namespace lang;
    const Tensor d = sub(in[0], in[1]);
    return {loss::reduced("MSELoss", mul(d, d), attrs.string(0))};
}

}  // namespace

OpDef op_mse_loss() {
    return OpDef({.name = "MSELoss",
                  .functional = "mse_loss",
                  .doc = "Squared difference, averaged, summed or as it is.",
                  .operands = {{"input", Accept::floating}, {"target", Accept::floating}},
                  .attributes = {loss::reduction_attribute()},
                  .promotes = true,
                  .ints_become_float = true},
                 infer, loss::cost, kNoGradient)
        .with_decompose(decompose);
}

}  // namespace fusescope
