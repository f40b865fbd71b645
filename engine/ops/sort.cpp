#include "engine/cpu/sort.hpp"

#include "engine/ops/common.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

using ops::at;

void infer(InferContext& c) {
    normalize_axis(c.op.name(), c.attrs.integer(0), c.inputs[0].shape.rank());
    ops::infer_same(c);
    c.result(DType::Int64, c.inputs[0].shape);
}

void kernel(const KernelArgs& args) {
    const KernelTensor& in = args.inputs[0];
    const auto axis = at(normalize_axis("Sort", args.attrs.integer(0), in.shape().rank()));
    cpu::sort_along(in, axis, args.attrs.boolean(1), in.shape()[axis], args.outputs[0], args.outputs[1]);
}

void grad(GradContext& g) {
    if (!g.out_grads[0].defined()) return;
    g.set(0, lang::scatter_elements(lang::zeros_like(g.inputs[0]), g.outputs[1], g.out_grads[0], g.attrs.integer(0),
                                    "add"));
}

}  // namespace

OpDef op_sort() {
    return OpDef(
               {.name = "Sort",
                .functional = "sort",
                .methods = {"sort"},
                .doc = "Elements in order along an axis, and where each came from; NaN comes last.",
                .operands = {{"input_x"}},
                .attributes = {{"axis", AttrType::integer, std::int64_t{-1}}, {"descending", AttrType::boolean, false}},
                .outputs = 2},
               infer, ops::input_flops, grad)
        .with_kernel(kernel)
        .with_ascend("aclnnSort");
}

}  // namespace fusescope
