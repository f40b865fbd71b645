#include "engine/core/broadcast.hpp"
#include "engine/cpu/normalize.hpp"
#include "engine/ops/lang.hpp"
#include "fusescope/error.hpp"

namespace fusescope {
namespace {

int first_axis(const Shape& x, const Attrs& attrs) { return normalize_axis("LayerNorm", attrs.integer(0), x.rank()); }

void infer(InferContext& c) {
    const Shape& x = c.inputs[0].shape;
    const int axis = first_axis(x, c.attrs);
    const Shape tail(x.begin() + axis, x.end());
    for (std::size_t i = 1; i < 3; ++i) {
        if (c.inputs[i].shape == tail) continue;
        throw UserError(ErrorKind::shape, "LayerNorm",
                        "LayerNorm: `" + c.op.schema.operands[i].name + "` has shape " + to_string(c.inputs[i].shape) +
                            ", but the normalised axes of " + to_string(x) + " have " + to_string(tail),
                        {to_string(x), to_string(c.inputs[i].shape)});
    }
    Shape rows(x.size(), 1);
    std::copy(x.begin(), x.begin() + axis, rows.begin());
    c.result(c.inputs[0].dtype, x);
    c.result(c.inputs[0].dtype, rows);
    c.result(c.inputs[0].dtype, rows);
}

void kernel(const KernelArgs& args) {
    const KernelTensor& x = args.inputs[0];
    std::int64_t n = 1;
    for (int k = first_axis(x.shape(), args.attrs); k < x.shape().rank(); ++k)
        n *= x.shape()[static_cast<std::size_t>(k)];
    if (n == 0) return;
    cpu::layer_norm_rows(x.dtype(), x.count() / n, n, args.attrs.number(1), x.data, args.inputs[1].data,
                         args.inputs[2].data, args.outputs[0].data, args.outputs[1].data, args.outputs[2].data);
}

void cost(std::span<const TensorType> in, std::span<const TensorType>, const Attrs&, Cost& c) {
    c.flops = static_cast<std::uint64_t>(8 * in[0].shape.count());
}

// With n = (x − mean)·rstd and h = dy·gamma: dx = rstd (h − mean(h) − n·mean(h·n)), means over the normalised axes.
void grad(GradContext& g) {
    using namespace lang;
    const Tensor &x = g.inputs[0], &gamma = g.inputs[1], &dy = g.out_grads[0];
    const int axis = first_axis(x.shape(), g.attrs);
    Ints inner, outer;
    for (int k = 0; k < x.rank(); ++k) (k < axis ? outer : inner).push_back(k);
    if (!dy.defined()) return;
    const Tensor n = (x - g.outputs[1]) * g.outputs[2];
    if (g.need(0)) {
        const Tensor h = dy * gamma;
        g.set(0, g.outputs[2] * (h - mean(h, inner, true) - n * mean(h * n, inner, true)));
    }
    if (g.need(1)) g.set(1, outer.empty() ? dy * n : sum(dy * n, outer, false));
    if (g.need(2)) g.set(2, outer.empty() ? dy : sum(dy, outer, false));
}

}  // namespace

OpDef op_layer_norm() {
    return OpDef({.name = "LayerNorm",
                  .functional = "layer_norm",
                  .doc = "Normalises the axes from begin_norm_axis on to mean 0 and variance 1, then scales and "
                         "shifts; gives y, mean, 1/std.",
                  .operands = {{"x", Accept::floating}, {"gamma", Accept::floating}, {"beta", Accept::floating}},
                  .attributes = {{"begin_norm_axis", AttrType::integer, std::int64_t{-1}},
                                 {"epsilon", AttrType::number, 1e-5}},
                  .outputs = 3,
                  .promotes = true},
                 infer, cost, grad)
        .with_kernel(kernel)
        .with_ascend("aclnnLayerNorm")
        .with_hazard("normalised_infinity", true, false)
        .with_hazard("variance_of_zero", true, true);
}

}  // namespace fusescope
