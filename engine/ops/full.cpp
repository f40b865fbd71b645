#include <cstring>

#include "engine/core/convert.hpp"
#include "engine/cpu/parallel.hpp"
#include "engine/ir/op_def.hpp"

namespace fusescope {
namespace {

void infer(InferContext& c) { c.result(c.attrs.dtype(2), c.attrs.ints(0)); }

void kernel(const KernelArgs& args) {
    const KernelTensor& out = args.outputs[0];
    const std::size_t size = size_of(out.dtype());
    unsigned char pattern[8];
    store_double(out.dtype(), pattern, 0, args.attrs.number(1));
    char* dst = out.as<char>();
    cpu::parallel_for(out.count(), 1 << 16, 64, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) std::memcpy(dst + static_cast<std::size_t>(i) * size, pattern, size);
    });
}

void cost(std::span<const TensorType>, std::span<const TensorType>, const Attrs&, Cost&) {}

}  // namespace

OpDef op_full() {
    return OpDef({.name = "Fill",
                  .functional = "full",
                  .doc = "A tensor with every element equal to one number.",
                  .operands = {},
                  .attributes = {{"size", AttrType::ints, {}, true},
                                 {"fill_value", AttrType::number, {}, true},
                                 {"dtype", AttrType::dtype, DType::Float32}}},
                 infer, cost, kNoGradient)
        .with_kernel(kernel)
        .with_ascend("aclnnInplaceFillScalar");
}

}  // namespace fusescope
