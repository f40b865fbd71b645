#include "engine/ops/common.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

void infer(InferContext& c) { c.result(c.attrs.none(1) ? c.inputs[0].dtype : c.attrs.dtype(1), c.inputs[0].shape); }

std::vector<Tensor> decompose(std::span<const Tensor> in, const Attrs& attrs) {
    return {lang::full(in[0].shape(), attrs.number(0), attrs.none(1) ? in[0].dtype() : attrs.dtype(1))};
}

}  // namespace

OpDef op_full_like() {
    return OpDef({.name = "FullLike",
                  .functional = "full_like",
                  .doc = "A tensor of one number with the shape of another.",
                  .operands = {{"input"}},
                  .attributes = {{"fill_value", AttrType::number, {}, true}, {"dtype", AttrType::optional_dtype, {}}}},
                 infer, ops::no_flops, kNoGradient)
        .with_decompose(decompose);
}

}  // namespace fusescope
