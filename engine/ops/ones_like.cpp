#include "engine/ops/common.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

void infer(InferContext& c) { c.result(c.attrs.none(0) ? c.inputs[0].dtype : c.attrs.dtype(0), c.inputs[0].shape); }

std::vector<Tensor> decompose(std::span<const Tensor> in, const Attrs& attrs) {
    return {lang::full(in[0].shape(), 1.0, attrs.none(0) ? in[0].dtype() : attrs.dtype(0))};
}

}  // namespace

OpDef op_ones_like() {
    return OpDef({.name = "OnesLike",
                  .functional = "ones_like",
                  .doc = "A tensor of ones with the shape of another.",
                  .operands = {{"input"}},
                  .attributes = {{"dtype", AttrType::optional_dtype, {}}}},
                 infer, ops::no_flops, kNoGradient)
        .with_decompose(decompose);
}

}  // namespace fusescope
