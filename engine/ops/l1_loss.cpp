#include "engine/core/broadcast.hpp"
#include "engine/ops/loss.hpp"
#include "engine/ops/op_ids.hpp"

namespace fusescope {
namespace {

void infer(InferContext& c) {
    const Shape s = broadcast_or_throw("L1Loss", c.inputs[0].shape, c.inputs[1].shape);
    c.result(c.inputs[0].dtype, loss::reduced_shape("L1Loss", s, c.attrs.string(0)));
}

std::vector<Tensor> decompose(std::span<const Tensor> in, const Attrs& attrs) {
    using namespace lang;
    const Tensor d = sub(in[0], in[1]);
    return {loss::reduced("L1Loss", apply1(op_row(op::abs), {&d, 1}, {}), attrs.string(0))};
}

}  // namespace

OpDef op_l1_loss() {
    return OpDef({.name = "L1Loss",
                  .functional = "l1_loss",
                  .doc = "Absolute difference, averaged, summed or as it is.",
                  .operands = {{"input", Accept::floating}, {"target", Accept::floating}},
                  .attributes = {loss::reduction_attribute()},
                  .promotes = true,
                  .ints_become_float = true},
                 infer, loss::cost, kNoGradient)
        .with_decompose(decompose);
}

}  // namespace fusescope
