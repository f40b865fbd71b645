#include "engine/ops/common.hpp"
#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

// Bounds are held in this order, as numpy does: below first, so that `max` wins when the bounds cross.
struct Both {
    template <class V>
    static V eval(V x, V low, V high) {
        return expr::minimum(expr::maximum(x, low), high);
    }
};
struct Below {
    template <class V>
    static V eval(V x, V low) {
        return expr::maximum(x, low);
    }
};
struct Above {
    template <class V>
    static V eval(V x, V high) {
        return expr::minimum(x, high);
    }
};

void infer(InferContext& c) {
    Shape shape = c.inputs[0].shape;
    bool any = false;
    for (std::size_t i = 1; i < c.inputs.size(); ++i) {
        if (!c.present[i]) continue;
        any = true;
        shape = broadcast_or_throw(c.op.name(), shape, c.inputs[i].shape);
    }
    if (!any) {
        throw UserError(ErrorKind::value, c.op.name(), "Clamp: min and max are both None", {to_string(shape)},
                        "give at least one bound");
    }
    c.result(c.inputs[0].dtype, shape);
}

void kernel(const KernelArgs& args) {
    const bool low = args.inputs.size() > 1 && args.inputs[1].data;
    const bool high = args.inputs.size() > 2 && args.inputs[2].data;
    if (low && high) return elementwise_detail::kernel<Both, Takes::number, 3, 0>(args);
    const KernelTensor two[2] = {args.inputs[0], low ? args.inputs[1] : args.inputs[2]};
    const KernelArgs one{two, args.outputs, args.attrs, args.random};
    if (low) return elementwise_detail::kernel<Below, Takes::number, 2, 0>(one);
    elementwise_detail::kernel<Above, Takes::number, 2, 0>(one);
}

std::vector<Tensor> decompose(std::span<const Tensor> in, const Attrs&) {
    Tensor t = in[0];
    if (in.size() > 1 && in[1].defined()) t = lang::maximum(t, in[1]);
    if (in.size() > 2 && in[2].defined()) t = lang::minimum(t, in[2]);
    return {t};
}

// A bound gets the gradient of the elements that it replaced.
void grad(GradContext& g) {
    using namespace lang;
    const Tensor& x = g.inputs[0];
    const Tensor& dy = g.out_grads[0];
    const Tensor none = constant(dy, 0);
    const bool low = g.inputs.size() > 1 && g.inputs[1].defined();
    const bool high = g.inputs.size() > 2 && g.inputs[2].defined();
    const Tensor held = low ? maximum(x, g.inputs[1]) : x;
    Tensor inner = dy;
    if (high) {
        const Tensor over = greater(held, g.inputs[2]);
        if (g.need(2)) g.set(2, sum_to(select(over, dy, none), g.inputs[2].shape()));
        inner = select(over, none, dy);
    }
    if (low) {
        const Tensor under = less(x, g.inputs[1]);
        if (g.need(1)) g.set(1, sum_to(select(under, inner, none), g.inputs[1].shape()));
        inner = select(under, none, inner);
    }
    if (g.need(0)) g.set(0, sum_to(inner, x.shape()));
}

}  // namespace

OpDef op_clip() {
    return OpDef({.name = "Clamp",
                  .functional = "clamp",
                  .aliases = {"clip"},
                  .methods = {"clamp", "clip"},
                  .doc = "Each element held between two bounds, either of which may be missing; NaN stays.",
                  .operands = {{"input", Accept::number},
                               {"min", Accept::number, OperandKind::optional},
                               {"max", Accept::number, OperandKind::optional}},
                  .promotes = true},
                 infer, ops::output_flops, grad)
        .with_kernel(kernel)
        .with_decompose(decompose)
        .with_ascend("aclnnClampTensor");
}

}  // namespace fusescope
