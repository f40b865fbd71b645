#include "engine/ops/common.hpp"
#include "engine/ops/lang.hpp"
#include "engine/ops/reduction.hpp"

namespace fusescope {
namespace {

std::vector<Tensor> decompose(std::span<const Tensor> in, const Attrs& attrs) {
    using namespace lang;
    const Tensor& x = in[0];
    const Ints axes = reduction::axes("LogSumExp", attrs[0], x.rank());
    // An infinite maximum cannot be taken off.
    const Tensor most = amax(x, axes, true);
    const Tensor shift = select(isfinite(most), most, constant(most, 0));
    const Tensor total = log(sum(exp(x - shift), axes, true)) + shift;
    const auto flags = reduction::flags("LogSumExp", attrs[0], x.rank());
    return {reshape(total, reduction::reduced_shape(x.shape(), flags, attrs.boolean(1)))};
}

void cost(std::span<const TensorType> in, std::span<const TensorType>, const Attrs&, Cost& c) {
    c.flops = 13 * static_cast<std::uint64_t>(in[0].shape.count());
}

void grad(GradContext& g) {
    using namespace lang;
    const Tensor& x = g.inputs[0];
    const Tensor y = reduction::keep(g.outputs[0], x.shape(), g.attrs[0]);
    const Tensor dy = reduction::keep(g.out_grads[0], x.shape(), g.attrs[0]);
    g.set(0, dy * exp(x - y));
}

}  // namespace

OpDef op_logsumexp() {
    return OpDef({.name = "LogSumExp",
                  .functional = "logsumexp",
                  .methods = {"logsumexp"},
                  .doc = "Logarithm of the sum of exponentials over axes, without overflow.",
                  .operands = {{"input", Accept::floating}},
                  .attributes = reduction::attributes(),
                  .promotes = true,
                  .ints_become_float = true,
                  .traits = {.reduction = true}},
                 reduction::infer_nonempty, cost, grad)
        .with_decompose(decompose)
        .with_ascend("aclnnLogSumExp");
}

}  // namespace fusescope
