#include "engine/ops/lang.hpp"
#include "engine/ops/op_ids.hpp"
#include "engine/ops/window.hpp"

namespace fusescope {
namespace {

void infer(InferContext& c) { c.result(c.inputs[0].dtype, c.attrs.ints(5)); }

void kernel(const KernelArgs& args) {
    const KernelTensor& dy = args.inputs[0];
    const KernelTensor& other = args.inputs[1];
    cpu::conv2d_weights_grad(dy.dtype(), window::conv_shape(other.shape(), args.attrs.ints(5), args.attrs), dy.data,
                             other.data, args.outputs[0].data);
}

void cost(std::span<const TensorType> in, std::span<const TensorType> out, const Attrs&, Cost& c) {
    const Shape& w = out[0].shape;
    c.flops = static_cast<std::uint64_t>(2 * in[0].shape.count() * w[1] * w[2] * w[3]);
}

// Linear in both operands, so its gradients are the other two products of the three.
void grad(GradContext& g) {
    Attrs conv{std::vector<AttrValue>(g.attrs.values().begin(), g.attrs.values().begin() + 5)};
    const Tensor& d = g.out_grads[0];
    if (g.need(0)) {
        const Tensor in[3] = {g.inputs[1], d, Tensor()};
        g.set(0, apply1(op_row(op::conv2d), in, conv));
    }
    if (g.need(1)) {
        Attrs a = conv;
        a.push_back(g.inputs[1].shape());
        const Tensor in[2] = {g.inputs[0], d};
        g.set(1, apply1(op_row(op::conv2d_input_grad), in, a));
    }
}

}  // namespace

OpDef op_conv2d_weight_grad() {
    std::vector<AttrSpec> attributes = window::conv_attributes();
    attributes.push_back({"filter_size", AttrType::ints, {}, true});
    return OpDef({.name = "Conv2DBackpropFilter",
                  .doc = "Gradient of a convolution's weight.",
                  .operands = {{"out_backprop", Accept::floating}, {"input", Accept::floating}},
                  .attributes = std::move(attributes),
                  .promotes = true},
                 infer, cost, grad)
        .with_kernel(kernel)
        .with_ascend("aclnnConvolutionBackward");
}

}  // namespace fusescope
