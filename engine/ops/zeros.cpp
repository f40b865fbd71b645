#include "engine/ops/common.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

void infer(InferContext& c) { c.result(c.attrs.dtype(1), c.attrs.ints(0)); }

std::vector<Tensor> decompose(std::span<const Tensor>, const Attrs& attrs) {
    return {lang::full(attrs.ints(0), 0.0, attrs.dtype(1))};
}

}  // namespace

OpDef op_zeros() {
    return OpDef({.name = "Zeros",
                  .functional = "zeros",
                  .doc = "A tensor of zeros.",
                  .operands = {},
                  .attributes = {{"size", AttrType::ints, {}, true}, {"dtype", AttrType::dtype, DType::Float32}}},
                 infer, ops::no_flops, kNoGradient)
        .with_decompose(decompose)
        .with_ascend("aclnnInplaceZero");
}

}  // namespace fusescope
