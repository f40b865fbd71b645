#include "engine/ops/window.hpp"

namespace fusescope {
namespace {

void infer(InferContext& c) { c.result(c.inputs[0].dtype, c.inputs[0].shape); }

void kernel(const KernelArgs& args) {
    const KernelTensor& x = args.inputs[0];
    const cpu::PoolShape s = window::pool_shape("AvgPool", x.shape(), args.attrs);
    cpu::avg_pool_grad(x.dtype(), s, args.inputs[1].data, args.outputs[0].data);
}

void cost(std::span<const TensorType> in, std::span<const TensorType>, const Attrs& attrs, Cost& c) {
    const auto [rows, columns] = window::pair("AvgPool", "kernel_size", attrs.ints(0));
    c.flops = static_cast<std::uint64_t>(in[1].shape.count() * rows * columns);
}

}  // namespace

OpDef op_avg_pool2d_grad() {
    return OpDef({.name = "AvgPoolGrad",
                  .doc = "Gradient of the input of AvgPool.",
                  .operands = {{"x", Accept::floating}, {"out_backprop", Accept::floating}},
                  .attributes = window::pool_attributes()},
                 infer, cost, kNoGradient)
        .with_kernel(kernel);
}

}  // namespace fusescope
