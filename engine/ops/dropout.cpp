#include <cstring>

#include "engine/cpu/parallel.hpp"
#include "engine/cpu/philox.hpp"
#include "engine/ops/common.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

using ops::at;

// Attributes: p, training. Outputs: the result and the Bool mask of the elements that were kept.
void infer(InferContext& c) {
    const double p = c.attrs.number(0);
    if (!(p >= 0 && p <= 1)) {
        throw UserError(ErrorKind::value, c.op.name(),
                        "Dropout: p is " + std::to_string(p) + ", but a probability is from 0 to 1");
    }
    ops::infer_same(c);
    c.result(DType::Bool, c.inputs[0].shape);
}

void kernel(const KernelArgs& args) {
    const KernelTensor& in = args.inputs[0];
    const KernelTensor& out = args.outputs[0];
    auto* mask = args.outputs[1].as<std::uint8_t>();
    const std::int64_t n = in.count();
    const double p = args.attrs.number(0);
    if (!args.attrs.boolean(1) || p == 0) {
        std::memcpy(out.data, in.data, at(n) * size_of(in.dtype()));
        std::memset(mask, 1, at(n));
        return;
    }
    const cpu::Philox random(args.random);
    const double bound = p * 0x1p32;
    const double scale = p < 1 ? 1 / (1 - p) : 0;
    visit_dtype(in.dtype(), [&](auto tag) {
        using E = ops::ElementOf<decltype(tag)>;
        if constexpr (std::is_floating_point_v<typename E::Value>) {
            const auto factor = static_cast<typename E::Value>(scale);
            cpu::parallel_for((n + 3) / 4, 1 << 12, 16, [&](std::int64_t begin, std::int64_t end) {
                for (std::int64_t b = begin; b < end; ++b) {
                    const auto bits = random.block(static_cast<std::uint64_t>(b));
                    for (std::int64_t k = 0; k < 4 && 4 * b + k < n; ++k) {
                        const std::int64_t i = 4 * b + k;
                        const bool kept = static_cast<double>(bits[at(k)]) >= bound;
                        mask[i] = kept;
                        E::store(out.data, i, kept ? E::load(in.data, i) * factor : typename E::Value{0});
                    }
                }
            });
        }
    });
}

void grad(GradContext& g) {
    using namespace lang;
    if (!g.out_grads[0].defined()) return;
    const double p = g.attrs.number(0);
    if (!g.attrs.boolean(1) || p == 0) return g.set(0, identity(g.out_grads[0]));
    const Tensor scaled = g.out_grads[0] * (p < 1 ? 1 / (1 - p) : 0.0);
    g.set(0, select(g.outputs[1], scaled, constant(scaled, 0)));
}

}  // namespace

OpDef op_dropout() {
    return OpDef({.name = "Dropout",
                  .functional = "dropout",
                  .doc = "While training, sets each element to zero with probability p and scales the others by 1 / (1 "
                         "- p).",
                  .operands = {{"input", Accept::floating}},
                  .attributes = {{"p", AttrType::number, 0.5}, {"training", AttrType::boolean, true}},
                  .outputs = 2,
                  .traits = {.random = true}},
                 infer, ops::output_flops, grad)
        .with_kernel(kernel)
        .with_ascend("aclnnDropoutGenMaskV2", true);
}

}  // namespace fusescope
