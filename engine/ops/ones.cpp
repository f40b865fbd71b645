#include "engine/ops/common.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

void infer(InferContext& c) { c.result(c.attrs.dtype(1), c.attrs.ints(0)); }

std::vector<Tensor> decompose(std::span<const Tensor>, const Attrs& attrs) {
    return {lang::full(attrs.ints(0), 1.0, attrs.dtype(1))};
}

}  // namespace

OpDef op_ones() {
    return OpDef({.name = "Ones",
                  .functional = "ones",
                  .doc = "A tensor of ones.",
                  .operands = {},
                  .attributes = {{"size", AttrType::ints, {}, true}, {"dtype", AttrType::dtype, DType::Float32}}},
                 infer, ops::no_flops, kNoGradient)
        .with_decompose(decompose)
        .with_ascend("aclnnInplaceOne");
}

}  // namespace fusescope
