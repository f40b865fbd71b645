#include "engine/cpu/parallel.hpp"
#include "engine/cpu/philox.hpp"
#include "engine/ops/common.hpp"

namespace fusescope {
namespace {

using ops::at;

void infer(InferContext& c) {
    if (c.attrs.integer(0) >= c.attrs.integer(1)) {
        throw UserError(ErrorKind::value, c.op.name(),
                        "RandInt: low is " + std::to_string(c.attrs.integer(0)) + " and high is " +
                            std::to_string(c.attrs.integer(1)) + ", so there is no number in between");
    }
    c.result(c.attrs.dtype(3), c.attrs.ints(2));
}

void kernel(const KernelArgs& args) {
    const KernelTensor& out = args.outputs[0];
    const cpu::Philox random(args.random);
    const std::int64_t low = args.attrs.integer(0);
    const auto span = static_cast<std::uint64_t>(args.attrs.integer(1)) - static_cast<std::uint64_t>(low);
    const std::int64_t n = out.count();
    cpu::parallel_for((n + 1) / 2, 1 << 12, 16, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t b = begin; b < end; ++b) {
            const auto bits = random.block(static_cast<std::uint64_t>(b));
            for (std::int64_t k = 0; k < 2 && 2 * b + k < n; ++k) {
                const std::uint64_t wide = (std::uint64_t{bits[at(2 * k)]} << 32) | bits[at(2 * k + 1)];
                // The high half of a product spreads the draw over the span evenly.
                const auto v = static_cast<std::uint64_t>((static_cast<unsigned __int128>(wide) * span) >> 64);
                store_int(out.dtype(), out.data, 2 * b + k,
                          static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + v));
            }
        }
    });
}

}  // namespace

OpDef op_randint() {
    return OpDef({.name = "RandInt",
                  .functional = "randint",
                  .doc = "Random whole numbers from low up to high, but not high itself.",
                  .operands = {},
                  .attributes = {{"low", AttrType::integer, {}, true},
                                 {"high", AttrType::integer, {}, true},
                                 {"size", AttrType::ints, {}, true},
                                 {"dtype", AttrType::dtype, DType::Int64}},
                  .traits = {.random = true}},
                 infer, ops::output_flops, kNoGradient)
        .with_kernel(kernel)
        .with_ascend("aclnnInplaceRandom", true);
}

}  // namespace fusescope
