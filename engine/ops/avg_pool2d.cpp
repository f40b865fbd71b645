#include "engine/ops/lang.hpp"
#include "engine/ops/op_ids.hpp"
#include "engine/ops/window.hpp"

namespace fusescope {
namespace {

void infer(InferContext& c) {
    const Shape& x = c.inputs[0].shape;
    const cpu::PoolShape s = window::pool_shape("AvgPool", x, c.attrs);
    c.result(c.inputs[0].dtype, {x[0], x[1], s.oh, s.ow});
}

void kernel(const KernelArgs& args) {
    const KernelTensor& x = args.inputs[0];
    cpu::avg_pool(x.dtype(), window::pool_shape("AvgPool", x.shape(), args.attrs), x.data, args.outputs[0].data);
}

void cost(std::span<const TensorType>, std::span<const TensorType> out, const Attrs& attrs, Cost& c) {
    const auto [rows, columns] = window::pair("AvgPool", "kernel_size", attrs.ints(0));
    c.flops = static_cast<std::uint64_t>(out[0].shape.count() * rows * columns);
}

void grad(GradContext& g) {
    const Tensor in[2] = {g.inputs[0], g.out_grads[0]};
    g.set(0, apply1(op_row(op::avg_pool2d_grad), in, g.attrs));
}

}  // namespace

OpDef op_avg_pool2d() {
    return OpDef({.name = "AvgPool",
                  .functional = "avg_pool2d",
                  .doc = "Mean of each window over the last two axes of (N, C, H, W).",
                  .operands = {{"x", Accept::floating}},
                  .attributes = window::pool_attributes()},
                 infer, cost, grad)
        .with_kernel(kernel)
        .with_ascend("aclnnAvgPool2d");
}

}  // namespace fusescope
