#include "engine/cpu/sort.hpp"
#include "engine/ops/common.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

using ops::at;

int axis_of(const Shape& shape, const Attrs& attrs) {
    return normalize_axis("TopK", attrs.none(1) ? -1 : attrs.integer(1), shape.rank());
}

void infer(InferContext& c) {
    Shape out = c.inputs[0].shape;
    std::int64_t& extent = out[at(axis_of(out, c.attrs))];
    const std::int64_t k = c.attrs.integer(0);
    if (k < 0 || k > extent) {
        throw UserError(ErrorKind::value, c.op.name(),
                        "TopK: k is " + std::to_string(k) + ", but the axis of shape " + to_string(c.inputs[0].shape) +
                            " has " + std::to_string(extent) + " elements",
                        {to_string(c.inputs[0].shape)});
    }
    extent = k;
    c.result(c.inputs[0].dtype, out);
    c.result(DType::Int32, out);
}

void kernel(const KernelArgs& args) {
    const KernelTensor& in = args.inputs[0];
    const auto axis = at(axis_of(in.shape(), args.attrs));
    cpu::sort_along(in, axis, args.attrs.boolean(2), args.attrs.integer(0), args.outputs[0], args.outputs[1]);
}

void grad(GradContext& g) {
    if (!g.out_grads[0].defined()) return;
    g.set(0, lang::scatter_elements(lang::zeros_like(g.inputs[0]), g.outputs[1], g.out_grads[0],
                                    axis_of(g.inputs[0].shape(), g.attrs), "add"));
}

}  // namespace

OpDef op_topk() {
    return OpDef({.name = "TopK",
                  .functional = "topk",
                  .methods = {"topk"},
                  .doc = "The k largest (or smallest) elements along an axis in order, and where they are.",
                  .operands = {{"input"}},
                  .attributes = {{"k", AttrType::integer, {}, true},
                                 {"dim", AttrType::optional_int, {}},
                                 {"largest", AttrType::boolean, true},
                                 {"sorted", AttrType::boolean, true}},
                  .outputs = 2},
                 infer, ops::input_flops, grad)
        .with_kernel(kernel)
        .with_ascend("aclnnTopk");
}

}  // namespace fusescope
