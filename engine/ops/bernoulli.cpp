#include "engine/cpu/parallel.hpp"
#include "engine/cpu/philox.hpp"
#include "engine/ops/common.hpp"

namespace fusescope {
namespace {

using ops::at;

void infer(InferContext& c) {
    const double p = c.attrs.number(0);
    if (!(p >= 0 && p <= 1)) {
        throw UserError(ErrorKind::value, c.op.name(),
                        "Bernoulli: p is " + std::to_string(p) + ", but it must be from 0 to 1");
    }
    ops::infer_same(c);
}

void kernel(const KernelArgs& args) {
    const KernelTensor& out = args.outputs[0];
    const cpu::Philox random(args.random);
    const double bound = args.attrs.number(0) * 0x1p32;
    const std::int64_t n = out.count();
    cpu::parallel_for((n + 3) / 4, 1 << 12, 16, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t b = begin; b < end; ++b) {
            const auto bits = random.block(static_cast<std::uint64_t>(b));
            for (std::int64_t k = 0; k < 4 && 4 * b + k < n; ++k) {
                store_int(out.dtype(), out.data, 4 * b + k, static_cast<double>(bits[at(k)]) < bound);
            }
        }
    });
}

}  // namespace

OpDef op_bernoulli() {
    return OpDef({.name = "Bernoulli",
                  .functional = "bernoulli",
                  .methods = {"bernoulli"},
                  .doc = "Ones with probability p, zeros otherwise, in the shape of a tensor.",
                  .operands = {{"input"}},
                  .attributes = {{"p", AttrType::number, 0.5}},
                  .traits = {.random = true}},
                 infer, ops::output_flops, kNoGradient)
        .with_kernel(kernel)
        .with_ascend("aclnnInplaceBernoulli", true);
}

}  // namespace fusescope
