#include "engine/cpu/argreduce.hpp"
#include "engine/ops/common.hpp"
#include "engine/ops/extreme.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

void infer(InferContext& c) {
    const Shape out = ops::extreme_shape(c);
    c.result(c.inputs[0].dtype, out);
    c.result(DType::Int64, out);
}

void kernel(const KernelArgs& args) {
    const ops::Lines l = ops::lines_of("ArgMaxWithValue", args.inputs[0].shape(), args.attrs);
    cpu::arg_reduce(args.inputs[0], l.outer, l.extent, l.inner, true, args.outputs[1], args.outputs[0]);
}

// Only the element that was chosen gets the gradient.
void grad(GradContext& g) {
    if (!g.out_grads[0].defined()) return;
    const Tensor& x = g.inputs[0];
    const ops::Lines l = ops::lines_of("ArgMaxWithValue", x.shape(), g.attrs);
    const Shape lines{l.outer, l.extent, l.inner};
    const Shape chosen{l.outer, 1, l.inner};
    const Tensor spread = lang::scatter_elements(lang::zeros(x.dtype(), lines), lang::reshape(g.outputs[1], chosen),
                                                 lang::reshape(g.out_grads[0], chosen), 1, "none");
    g.set(0, lang::reshape(spread, x.shape()));
}

}  // namespace

OpDef op_max() {
    return OpDef({.name = "ArgMaxWithValue",
                  .functional = "max",
                  .doc = "The largest element along an axis and its index; without an axis, of the flattened tensor.",
                  .operands = {{"input"}},
                  .attributes = {{"axis", AttrType::optional_int, {}}, {"keep_dims", AttrType::boolean, false}},
                  .outputs = 2},
                 infer, ops::input_flops, grad)
        .with_kernel(kernel)
        .with_ascend("aclnnMaxDim");
}

}  // namespace fusescope
