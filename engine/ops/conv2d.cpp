#include "engine/ops/lang.hpp"
#include "engine/ops/op_ids.hpp"
#include "engine/ops/window.hpp"
#include "fusescope/error.hpp"

namespace fusescope {
namespace {

void infer(InferContext& c) {
    const cpu::ConvShape s = window::conv_shape(c.inputs[0].shape, c.inputs[1].shape, c.attrs);
    if (c.present[2] && c.inputs[2].shape != Shape{s.oc}) {
        throw UserError(ErrorKind::shape, "Conv2D",
                        "Conv2D: the bias must have shape (" + std::to_string(s.oc) + ",), but it has " +
                            to_string(c.inputs[2].shape),
                        {to_string(c.inputs[0].shape), to_string(c.inputs[1].shape), to_string(c.inputs[2].shape)});
    }
    c.result(c.inputs[0].dtype, {s.n, s.oc, s.oh, s.ow});
}

void kernel(const KernelArgs& args) {
    const KernelTensor& x = args.inputs[0];
    cpu::conv2d(x.dtype(), window::conv_shape(x.shape(), args.inputs[1].shape(), args.attrs), x.data,
                args.inputs[1].data, args.inputs[2].data, false, args.outputs[0].data);
}

void cost(std::span<const TensorType> in, std::span<const TensorType> out, const Attrs&, Cost& c) {
    const Shape& w = in[1].shape;
    c.flops = static_cast<std::uint64_t>(2 * out[0].shape.count() * w[1] * w[2] * w[3]);
}

void grad(GradContext& g) {
    const Tensor& dy = g.out_grads[0];
    if (g.need(0)) {
        Attrs a = g.attrs;
        a.push_back(g.inputs[0].shape());
        const Tensor in[2] = {dy, g.inputs[1]};
        g.set(0, apply1(op_row(op::conv2d_input_grad), in, a));
    }
    if (g.need(1)) {
        Attrs a = g.attrs;
        a.push_back(g.inputs[1].shape());
        const Tensor in[2] = {dy, g.inputs[0]};
        g.set(1, apply1(op_row(op::conv2d_weight_grad), in, a));
    }
    if (g.need(2)) g.set(2, lang::sum(dy, {0, 2, 3}, false));
}

}  // namespace

OpDef op_conv2d() {
    return OpDef({.name = "Conv2D",
                  .functional = "conv2d",
                  .doc = "Two-dimensional convolution of (N, C, H, W) with a weight (out, in/group, rows, columns).",
                  .operands = {{"input", Accept::floating},
                               {"weight", Accept::floating},
                               {"bias", Accept::floating, OperandKind::optional}},
                  .attributes = window::conv_attributes(),
                  .promotes = true},
                 infer, cost, grad)
        .with_kernel(kernel)
        .with_ascend("aclnnConvolution")
        .with_hazard("zero_times_inf", true, false)
        .with_hazard("inf_minus_inf", true, false)
        .with_hazard("overflow", false, true);
}

}  // namespace fusescope
