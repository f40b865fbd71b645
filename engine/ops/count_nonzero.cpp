#include "engine/ops/common.hpp"
#include "engine/ops/lang.hpp"
#include "engine/ops/reduction.hpp"

namespace fusescope {
namespace {

void infer(InferContext& c) {
    const Shape& shape = c.inputs[0].shape;
    const auto flags = reduction::flags(c.op.name(), c.attrs[0], shape.rank());
    c.result(DType::Int32, reduction::reduced_shape(shape, flags, c.attrs.boolean(1)));
}

std::vector<Tensor> decompose(std::span<const Tensor> in, const Attrs& attrs) {
    const Tensor& x = in[0];
    const Tensor truth = x.dtype() == DType::Bool ? x : lang::not_equal(x, lang::constant(x, 0));
    const Tensor total = lang::sum(truth, reduction::axes("CountNonZero", attrs[0], x.rank()), attrs.boolean(1));
    return {lang::cast(total, DType::Int32)};
}

}  // namespace

OpDef op_count_nonzero() {
    return OpDef({.name = "CountNonZero",
                  .functional = "count_nonzero",
                  .methods = {"count_nonzero"},
                  .doc = "How many elements over the axes are not zero.",
                  .operands = {{"x"}},
                  .attributes = reduction::attributes(),
                  .traits = {.reduction = true}},
                 infer, ops::input_flops, kNoGradient)
        .with_decompose(decompose);
}

}  // namespace fusescope
