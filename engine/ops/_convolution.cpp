#include "engine/ops/convolution.hpp"
#include "engine/ops/lang.hpp"
#include "engine/ops/op_ids.hpp"
#include "engine/ops/window.hpp"
#include "fusescope/error.hpp"

namespace fusescope::convolution {
namespace {

// The three products of `Axes` axes: y = x * w, and what dy gives to x and to w.
template <std::size_t Axes>
struct Products {
    static constexpr OpId forward = Axes == 2 ? op::conv2d : op::conv3d;
    static constexpr OpId input = Axes == 2 ? op::conv2d_input_grad : op::conv3d_input_grad;
    static constexpr OpId weight = Axes == 2 ? op::conv2d_weight_grad : op::conv3d_weight_grad;

    static Shape result(const cpu::ConvShape& s) {
        return Axes == 2 ? Shape{s.n, s.oc, s.oh, s.ow} : Shape{s.n, s.oc, s.od, s.oh, s.ow};
    }
    static std::uint64_t flops(const Shape& y, const Shape& w) {
        return static_cast<std::uint64_t>(2 * y.count() * (w.count() / std::max<std::int64_t>(1, w[0])));
    }
    static Attrs without_size(const Attrs& attrs) {
        return Attrs{std::vector<AttrValue>(attrs.values().begin(), attrs.values().begin() + 5)};
    }
    static Attrs with_size(Attrs attrs, const Shape& size) {
        attrs.push_back(size);
        return attrs;
    }
    static Tensor convolved(const Tensor& x, const Tensor& w, const Attrs& attrs) {
        const Tensor in[3] = {x, w, Tensor()};
        return apply1(op_row(forward), in, attrs);
    }
    static Tensor to_input(const Tensor& dy, const Tensor& w, const Attrs& attrs, const Shape& size) {
        const Tensor in[2] = {dy, w};
        return apply1(op_row(input), in, with_size(attrs, size));
    }
    static Tensor to_weight(const Tensor& dy, const Tensor& x, const Attrs& attrs, const Shape& size) {
        const Tensor in[2] = {dy, x};
        return apply1(op_row(weight), in, with_size(attrs, size));
    }
    // The gradient of a result must have the shape that the convolution gives.
    static cpu::ConvShape checked(const OpDef& def, const Shape& dy, const Shape& x, const Shape& w,
                                  const Attrs& attrs) {
        const cpu::ConvShape s = window::conv_shape(Axes, x, w, attrs);
        if (dy != result(s)) {
            throw UserError(ErrorKind::shape, def.name(),
                            def.name() + ": a convolution of " + to_string(x) + " with " + to_string(w) + " gives " +
                                to_string(result(s)) + ", but out_backprop has shape " + to_string(dy),
                            {to_string(dy), to_string(x), to_string(w)});
        }
        return s;
    }

    static void infer(InferContext& c) {
        const cpu::ConvShape s = window::conv_shape(Axes, c.inputs[0].shape, c.inputs[1].shape, c.attrs);
        if (c.present[2] && c.inputs[2].shape != Shape{s.oc}) {
            throw UserError(ErrorKind::shape, c.op.name(),
                            c.op.name() + ": the bias must have shape (" + std::to_string(s.oc) + ",), but it has " +
                                to_string(c.inputs[2].shape),
                            {to_string(c.inputs[0].shape), to_string(c.inputs[1].shape), to_string(c.inputs[2].shape)});
        }
        c.result(c.inputs[0].dtype, result(s));
    }
    static void kernel(const KernelArgs& args) {
        const KernelTensor& x = args.inputs[0];
        cpu::conv(x.dtype(), window::conv_shape(Axes, x.shape(), args.inputs[1].shape(), args.attrs), x.data,
                  args.inputs[1].data, args.inputs[2].data, false, args.outputs[0].data);
    }
    static void cost(std::span<const TensorType> in, std::span<const TensorType> out, const Attrs&, Cost& c) {
        c.flops = flops(out[0].shape, in[1].shape);
    }
    static void grad(GradContext& g) {
        const Tensor& dy = g.out_grads[0];
        if (g.need(0)) g.set(0, to_input(dy, g.inputs[1], g.attrs, g.inputs[0].shape()));
        if (g.need(1)) g.set(1, to_weight(dy, g.inputs[0], g.attrs, g.inputs[1].shape()));
        if (g.need(2)) g.set(2, lang::sum(dy, Axes == 2 ? Ints{0, 2, 3} : Ints{0, 2, 3, 4}, false));
    }

    static void infer_input(InferContext& c) {
        checked(c.op, c.inputs[0].shape, c.attrs.ints(5), c.inputs[1].shape, c.attrs);
        c.result(c.inputs[0].dtype, c.attrs.ints(5));
    }
    static void input_kernel(const KernelArgs& args) {
        const KernelTensor &dy = args.inputs[0], &w = args.inputs[1];
        cpu::conv_input_grad(dy.dtype(), window::conv_shape(Axes, args.attrs.ints(5), w.shape(), args.attrs), dy.data,
                             w.data, args.outputs[0].data);
    }
    static void input_cost(std::span<const TensorType> in, std::span<const TensorType>, const Attrs&, Cost& c) {
        c.flops = flops(in[0].shape, in[1].shape);
    }
    static void input_slopes(GradContext& g) {
        const Attrs a = without_size(g.attrs);
        const Tensor& d = g.out_grads[0];
        if (g.need(0)) g.set(0, convolved(d, g.inputs[1], a));
        if (g.need(1)) g.set(1, to_weight(g.inputs[0], d, a, g.inputs[1].shape()));
    }

    static void infer_weight(InferContext& c) {
        checked(c.op, c.inputs[0].shape, c.inputs[1].shape, c.attrs.ints(5), c.attrs);
        c.result(c.inputs[0].dtype, c.attrs.ints(5));
    }
    static void weight_kernel(const KernelArgs& args) {
        const KernelTensor &dy = args.inputs[0], &x = args.inputs[1];
        cpu::conv_weights_grad(dy.dtype(), window::conv_shape(Axes, x.shape(), args.attrs.ints(5), args.attrs), dy.data,
                               x.data, args.outputs[0].data);
    }
    static void weight_cost(std::span<const TensorType> in, std::span<const TensorType> out, const Attrs&, Cost& c) {
        c.flops = flops(in[0].shape, out[0].shape);
    }
    static void weight_slopes(GradContext& g) {
        const Attrs a = without_size(g.attrs);
        const Tensor& d = g.out_grads[0];
        if (g.need(0)) g.set(0, convolved(g.inputs[1], d, a));
        if (g.need(1)) g.set(1, to_input(g.inputs[0], d, a, g.inputs[1].shape()));
    }
};

template <class F>
OpDef by_axes(std::size_t axes, F make) {
    if (axes == 2) return make(Products<2>());
    return make(Products<3>());
}

OpSchema gradient_schema(std::string name, std::string what, std::string other, std::string size) {
    std::vector<AttrSpec> attributes = window::conv_attributes();
    attributes.push_back({std::move(size), AttrType::ints, {}, true});
    return {.name = std::move(name),
            .doc = "Gradient of a convolution's " + what + ".",
            .operands = {{"out_backprop", Accept::floating}, {std::move(other), Accept::floating}},
            .attributes = std::move(attributes),
            .promotes = true};
}

}  // namespace

OpDef forward(std::size_t axes, std::string name, std::string functional, std::string doc) {
    return by_axes(axes, [&]<class P>(P) {
        return OpDef({.name = std::move(name),
                      .functional = std::move(functional),
                      .doc = std::move(doc),
                      .operands = {{"input", Accept::floating},
                                   {"weight", Accept::floating},
                                   {"bias", Accept::floating, OperandKind::optional}},
                      .attributes = window::conv_attributes(),
                      .promotes = true},
                     P::infer, P::cost, P::grad)
            .with_kernel(P::kernel)
            .with_ascend("aclnnConvolution")
            .with_hazard("zero_times_inf", true, false)
            .with_hazard("inf_minus_inf", true, false)
            .with_hazard("overflow", false, true);
    });
}

OpDef input_grad(std::size_t axes, std::string name) {
    return by_axes(axes, [&]<class P>(P) {
        return OpDef(gradient_schema(std::move(name), "input", "weight", "input_size"), P::infer_input, P::input_cost,
                     P::input_slopes)
            .with_kernel(P::input_kernel)
            .with_ascend("aclnnConvolutionBackward");
    });
}

OpDef weight_grad(std::size_t axes, std::string name) {
    return by_axes(axes, [&]<class P>(P) {
        return OpDef(gradient_schema(std::move(name), "weight", "input", "filter_size"), P::infer_weight,
                     P::weight_cost, P::weight_slopes)
            .with_kernel(P::weight_kernel)
            .with_ascend("aclnnConvolutionBackward");
    });
}

}  // namespace fusescope::convolution
