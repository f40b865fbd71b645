#include "engine/cpu/normalize.hpp"
#include "engine/ops/lang.hpp"
#include "engine/ops/op_ids.hpp"
#include "fusescope/error.hpp"

namespace fusescope {
namespace {

Ints axes_but_channels(int rank) {
    Ints axes;
    for (int k = 0; k < rank; ++k) {
        if (k != 1) axes.push_back(k);
    }
    return axes;
}

Tensor per_channel(const Tensor& t, int rank) {
    Shape s(static_cast<std::size_t>(rank), 1);
    s[1] = t.shape()[0];
    return lang::reshape(t, s);
}

void infer(InferContext& c) {
    const Shape& x = c.inputs[0].shape;
    if (x.rank() < 2) {
        throw UserError(ErrorKind::shape, "BatchNorm",
                        "BatchNorm: the input needs channels on axis 1, but it has shape " + to_string(x),
                        {to_string(x)});
    }
    for (std::size_t i = 1; i < 5; ++i) {
        if (c.inputs[i].shape == Shape{x[1]}) continue;
        const std::string advice = x.rank() == 4 && c.inputs[i].shape == Shape{x[3]}
                                       ? "the channels seem to be last; transpose to (N, C, H, W)"
                                       : "";
        throw UserError(ErrorKind::shape, "BatchNorm",
                        "BatchNorm: `" + c.op.schema.operands[i].name + "` has shape " + to_string(c.inputs[i].shape) +
                            ", but the input " + to_string(x) + " has " + std::to_string(x[1]) + " channels on axis 1" +
                            (advice.empty() ? "" : "; " + advice),
                        {to_string(x), to_string(c.inputs[i].shape)}, advice);
    }
    c.result(c.inputs[0].dtype, x);
    c.result(c.inputs[1].dtype, Shape{x[1]});
    c.result(c.inputs[1].dtype, Shape{x[1]});
}

// Gives y and the mean and (biased) variance that it used.
std::vector<Tensor> decompose(std::span<const Tensor> in, const Attrs& attrs) {
    using namespace lang;
    const Tensor &x = in[0], &scale = in[1], &shift = in[2];
    Tensor mu = in[3], variance = in[4];
    if (attrs.boolean(0)) {
        const Ints axes = axes_but_channels(x.rank());
        mu = mean(x, axes, false);
        const Tensor d = sub(x, per_channel(mu, x.rank()));
        variance = mean(d * d, axes, false);
    }
    const Tensor rstd = rsqrt(variance + attrs.number(1));
    const Tensor y =
        sub(x, per_channel(mu, x.rank())) * per_channel(rstd * scale, x.rank()) + per_channel(shift, x.rank());
    return {y, mu, variance};
}

void cost(std::span<const TensorType> in, std::span<const TensorType>, const Attrs&, Cost& c) {
    c.flops = static_cast<std::uint64_t>(8 * in[0].shape.count());
}

void kernel(const KernelArgs& args) {
    const KernelTensor& x = args.inputs[0];
    std::int64_t inner = 1;
    for (int k = 2; k < x.shape().rank(); ++k) inner *= x.shape()[static_cast<std::size_t>(k)];
    cpu::batch_norm(x.dtype(), x.shape()[0], x.shape()[1], inner, args.attrs.boolean(0), args.attrs.number(1), x.data,
                    args.inputs[1].data, args.inputs[2].data, args.inputs[3].data, args.inputs[4].data,
                    args.outputs[0].data, args.outputs[1].data, args.outputs[2].data);
}

// Training: with n = (x − mean)·rstd: dx = scale·rstd (dy − mean(dy) − n·mean(dy·n)). Inference: the statistics stand
// still.
void grad(GradContext& g) {
    using namespace lang;
    const Tensor &x = g.inputs[0], &dy = g.out_grads[0];
    if (!dy.defined()) return;
    const int rank = x.rank();
    const Ints axes = axes_but_channels(rank);
    const Tensor rstd = rsqrt(g.outputs[2] + g.attrs.number(1));
    const Tensor n = sub(x, per_channel(g.outputs[1], rank)) * per_channel(rstd, rank);
    const Tensor sum_dy = sum(dy, axes, false);
    const Tensor sum_dyn = sum(dy * n, axes, false);
    if (g.need(0)) {
        const Tensor factor = per_channel(rstd * g.inputs[1], rank);
        if (g.attrs.boolean(0)) {
            const double count = static_cast<double>(x.count() / std::max<std::int64_t>(1, x.shape()[1]));
            g.set(0, factor * (dy - per_channel(sum_dy / count, rank) - n * per_channel(sum_dyn / count, rank)));
        } else {
            g.set(0, factor * dy);
        }
    }
    if (g.need(1)) g.set(1, sum_dyn);
    if (g.need(2)) g.set(2, sum_dy);
}

}  // namespace

OpDef op_batch_norm() {
    return OpDef({.name = "BatchNorm",
                  .functional = "batch_norm",
                  .doc = "Normalises each channel (axis 1) by batch or given statistics, then scales and shifts; gives "
                         "y, mean, variance.",
                  .operands = {{"input_x", Accept::floating},
                               {"scale", Accept::floating},
                               {"bias", Accept::floating},
                               {"mean", Accept::floating},
                               {"variance", Accept::floating}},
                  .attributes = {{"is_training", AttrType::boolean, false}, {"epsilon", AttrType::number, 1e-5}},
                  .outputs = 3,
                  .promotes = true},
                 infer, cost, grad)
        .with_kernel(kernel)
        .with_decompose(decompose)
        .with_ascend("aclnnBatchNorm")
        .with_hazard("normalised_infinity", true, false)
        .with_hazard("variance_of_zero", true, true);
}

}  // namespace fusescope
