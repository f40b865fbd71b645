#include "engine/cpu/strided_copy.hpp"
#include "engine/ops/common.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

using ops::at;

void infer(InferContext& c) {
    if (c.inputs.empty()) {
        throw UserError(ErrorKind::value, c.op.name(), "Stack: the list of tensors is empty", {}, "give at least one");
    }
    Shape out = c.inputs[0].shape;
    for (std::size_t i = 1; i < c.inputs.size(); ++i) {
        if (c.inputs[i].shape == out) continue;
        throw UserError(ErrorKind::shape, c.op.name(),
                        "Stack: tensor 0 has shape " + to_string(out) + " and tensor " + std::to_string(i) +
                            " has shape " + to_string(c.inputs[i].shape) + "; all must be equal",
                        {to_string(out), to_string(c.inputs[i].shape)},
                        "concat joins tensors that differ along one axis");
    }
    const int axis = normalize_axis(c.op.name(), c.attrs.integer(0), out.rank() + 1);
    out.insert(out.begin() + axis, static_cast<std::int64_t>(c.inputs.size()));
    c.result(c.inputs[0].dtype, out);
}

void kernel(const KernelArgs& args) {
    const KernelTensor& out = args.outputs[0];
    const int axis = normalize_axis("Stack", args.attrs.integer(0), out.shape().rank());
    Shape strides = strides_of(out.shape());
    const std::int64_t step = strides[at(axis)];
    strides.erase(strides.begin() + axis);
    const std::size_t size = size_of(out.dtype());
    for (std::size_t i = 0; i < args.inputs.size(); ++i) {
        const KernelTensor& in = args.inputs[i];
        cpu::copy_strided(in.shape(), in.data, strides_of(in.shape()), out.as<char>() + i * at(step) * size, strides,
                          size);
    }
}

void grad(GradContext& g) {
    const int axis = normalize_axis("Stack", g.attrs.integer(0), g.outputs[0].rank());
    for (std::size_t i = 0; i < g.inputs.size(); ++i) {
        const auto k = static_cast<std::int64_t>(i);
        if (g.need(i)) {
            g.set(i, lang::reshape(lang::slice_axis(g.out_grads[0], axis, k, k + 1), g.inputs[i].shape()));
        }
    }
}

}  // namespace

OpDef op_stack() {
    return OpDef({.name = "Stack",
                  .functional = "stack",
                  .doc = "Joins tensors of one shape along a new axis.",
                  .operands = {{"tensors", Accept::any, OperandKind::list}},
                  .attributes = {{"axis", AttrType::integer, std::int64_t{0}}},
                  .promotes = true},
                 infer, ops::no_flops, grad)
        .with_kernel(kernel)
        .with_ascend("aclnnStack");
}

}  // namespace fusescope
