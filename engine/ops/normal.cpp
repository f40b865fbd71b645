#include "engine/ops/common.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

void infer(InferContext& c) { c.result(c.attrs.dtype(3), c.attrs.ints(0)); }

std::vector<Tensor> decompose(std::span<const Tensor>, const Attrs& attrs) {
    using namespace lang;
    return {standard_normal(attrs.ints(0), attrs.dtype(3)) * attrs.number(2) + attrs.number(1)};
}

}  // namespace

OpDef op_normal() {
    return OpDef({.name = "Normal",
                  .functional = "normal",
                  .doc = "Random numbers of a given mean and standard deviation.",
                  .operands = {},
                  .attributes = {{"shape", AttrType::ints, {}, true},
                                 {"mean", AttrType::number, 0.0},
                                 {"stddev", AttrType::number, 1.0},
                                 {"dtype", AttrType::dtype, DType::Float32}},
                  .traits = {.random = true}},
                 infer, ops::output_flops, kNoGradient)
        .with_decompose(decompose);
}

}  // namespace fusescope
