#include <numeric>
#include <vector>

#include "engine/cpu/philox.hpp"
#include "engine/ops/common.hpp"

namespace fusescope {
namespace {

using ops::at;

void infer(InferContext& c) {
    if (c.attrs.integer(0) < 0) {
        throw UserError(ErrorKind::value, c.op.name(),
                        "Randperm: n is " + std::to_string(c.attrs.integer(0)) + ", but it cannot be negative");
    }
    c.result(c.attrs.dtype(1), Shape{c.attrs.integer(0)});
}

// Fisher and Yates.
void kernel(const KernelArgs& args) {
    const KernelTensor& out = args.outputs[0];
    const cpu::Philox random(args.random);
    const std::int64_t n = out.count();
    std::vector<std::int64_t> order(at(n));
    std::iota(order.begin(), order.end(), std::int64_t{0});
    for (std::int64_t i = n - 1; i > 0; --i) {
        const auto bits = random.block(static_cast<std::uint64_t>(i));
        const std::uint64_t wide = (std::uint64_t{bits[0]} << 32) | bits[1];
        const auto j = static_cast<std::uint64_t>(
            (static_cast<unsigned __int128>(wide) * static_cast<std::uint64_t>(i + 1)) >> 64);
        std::swap(order[at(i)], order[j]);
    }
    for (std::int64_t i = 0; i < n; ++i) store_int(out.dtype(), out.data, i, order[at(i)]);
}

}  // namespace

OpDef op_randperm() {
    return OpDef({.name = "Randperm",
                  .functional = "randperm",
                  .doc = "The numbers 0 to n-1 in random order.",
                  .operands = {},
                  .attributes = {{"n", AttrType::integer, {}, true}, {"dtype", AttrType::dtype, DType::Int64}},
                  .traits = {.random = true}},
                 infer, ops::output_flops, kNoGradient)
        .with_kernel(kernel)
        .with_ascend("aclnnRandperm", true);
}

}  // namespace fusescope
