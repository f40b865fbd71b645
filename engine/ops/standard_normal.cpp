#include "engine/cpu/parallel.hpp"
#include "engine/cpu/philox.hpp"
#include "engine/ops/common.hpp"

namespace fusescope {
namespace {

void kernel(const KernelArgs& args) {
    const KernelTensor& out = args.outputs[0];
    const cpu::Philox random(args.random);
    const std::int64_t n = out.count();
    cpu::parallel_for((n + 3) / 4, 1 << 12, 16, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t b = begin; b < end; ++b) {
            const auto bits = random.block(static_cast<std::uint64_t>(b));
            const auto first = cpu::Philox::normals(bits[0], bits[1]);
            const auto second = cpu::Philox::normals(bits[2], bits[3]);
            const double values[4] = {first[0], first[1], second[0], second[1]};
            for (std::int64_t k = 0; k < 4 && 4 * b + k < n; ++k)
                store_double(out.dtype(), out.data, 4 * b + k, values[k]);
        }
    });
}

void cost(std::span<const TensorType>, std::span<const TensorType> out, const Attrs&, Cost& c) {
    c.flops = 30 * static_cast<std::uint64_t>(out[0].shape.count());
}

}  // namespace

OpDef op_standard_normal() {
    return OpDef({.name = "StandardNormal",
                  .functional = "standard_normal",
                  .doc = "Random numbers of mean 0 and variance 1.",
                  .operands = {},
                  .attributes = {{"shape", AttrType::ints, {}, true}, {"dtype", AttrType::dtype, DType::Float32}},
                  .traits = {.random = true}},
                 ops::infer_random, cost, kNoGradient)
        .with_kernel(kernel)
        .with_ascend("aclnnInplaceNormal", true);
}

}  // namespace fusescope
