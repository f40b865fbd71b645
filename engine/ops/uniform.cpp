#include "engine/ops/common.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

void infer(InferContext& c) { c.result(c.attrs.dtype(3), c.attrs.ints(0)); }

std::vector<Tensor> decompose(std::span<const Tensor>, const Attrs& attrs) {
    using namespace lang;
    const double low = attrs.number(1);
    return {uniform_real(attrs.ints(0), attrs.dtype(3)) * (attrs.number(2) - low) + low};
}

}  // namespace

OpDef op_uniform() {
    return OpDef({.name = "Uniform",
                  .functional = "uniform",
                  .doc = "Random numbers between two bounds, all equally likely.",
                  .operands = {},
                  .attributes = {{"shape", AttrType::ints, {}, true},
                                 {"minval", AttrType::number, 0.0},
                                 {"maxval", AttrType::number, 1.0},
                                 {"dtype", AttrType::dtype, DType::Float32}},
                  .traits = {.random = true}},
                 infer, ops::output_flops, kNoGradient)
        .with_decompose(decompose);
}

}  // namespace fusescope
