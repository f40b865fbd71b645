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
            // A wider type is rounded toward zero here, for 1 is not among the values.
            const double scale = out.dtype() == DType::Float16    ? 0x1p-11
                                 : out.dtype() == DType::BFloat16 ? 0x1p-8
                                                                  : 0x1p-24;
            const int drop = out.dtype() == DType::Float16 ? 21 : out.dtype() == DType::BFloat16 ? 24 : 8;
            for (std::int64_t k = 0; k < 4 && 4 * b + k < n; ++k)
                store_double(out.dtype(), out.data, 4 * b + k,
                             static_cast<double>(bits[static_cast<std::size_t>(k)] >> drop) * scale);
        }
    });
}

}  // namespace

OpDef op_uniform_real() {
    return OpDef({.name = "UniformReal",
                  .functional = "uniform_real",
                  .aliases = {"standard_uniform"},
                  .doc = "Random numbers from 0 up to 1, but not 1 itself, all equally likely.",
                  .operands = {},
                  .attributes = {{"shape", AttrType::ints, {}, true}, {"dtype", AttrType::dtype, DType::Float32}},
                  .traits = {.random = true}},
                 ops::infer_random, ops::output_flops, kNoGradient)
        .with_kernel(kernel)
        .with_ascend("aclnnInplaceUniform", true);
}

}  // namespace fusescope
