#include "engine/cpu/strided_copy.hpp"
#include "engine/ops/common.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

using ops::at;

void infer(InferContext& c) {
    if (c.inputs.empty()) {
        throw UserError(ErrorKind::value, c.op.name(), "Concat: the list of tensors is empty", {}, "give at least one");
    }
    Shape out = c.inputs[0].shape;
    const int axis = normalize_axis(c.op.name(), c.attrs.integer(0), out.rank());
    for (std::size_t i = 1; i < c.inputs.size(); ++i) {
        const Shape& s = c.inputs[i].shape;
        bool fits = s.rank() == out.rank();
        for (int k = 0; fits && k < s.rank(); ++k) fits = k == axis || s[at(k)] == out[at(k)];
        if (!fits) {
            throw UserError(ErrorKind::shape, c.op.name(),
                            "Concat: tensor 0 has shape " + to_string(c.inputs[0].shape) + " and tensor " +
                                std::to_string(i) + " has shape " + to_string(s) + "; along axis " +
                                std::to_string(axis) + " only that axis may differ",
                            {to_string(c.inputs[0].shape), to_string(s)},
                            "stack joins tensors of equal shapes along a new axis");
        }
        out[at(axis)] += s[at(axis)];
    }
    c.result(c.inputs[0].dtype, out);
}

void kernel(const KernelArgs& args) {
    const KernelTensor& out = args.outputs[0];
    const int axis = normalize_axis("Concat", args.attrs.integer(0), out.shape().rank());
    const Shape strides = strides_of(out.shape());
    const std::size_t size = size_of(out.dtype());
    std::int64_t begin = 0;
    for (const KernelTensor& in : args.inputs) {
        char* dst = out.as<char>() + at(begin * strides[at(axis)]) * size;
        cpu::copy_strided(in.shape(), in.data, strides_of(in.shape()), dst, strides, size);
        begin += in.shape()[at(axis)];
    }
}

void grad(GradContext& g) {
    const int axis = normalize_axis("Concat", g.attrs.integer(0), g.outputs[0].rank());
    std::int64_t begin = 0;
    for (std::size_t i = 0; i < g.inputs.size(); ++i) {
        const std::int64_t end = begin + g.inputs[i].shape()[at(axis)];
        if (g.need(i)) g.set(i, lang::slice_axis(g.out_grads[0], axis, begin, end));
        begin = end;
    }
}

}  // namespace

OpDef op_concat() {
    return OpDef({.name = "Concat",
                  .functional = "concat",
                  .aliases = {"cat"},
                  .doc = "Joins tensors one after the other along an axis.",
                  .operands = {{"tensors", Accept::any, OperandKind::list}},
                  .attributes = {{"axis", AttrType::integer, std::int64_t{0}}},
                  .promotes = true},
                 infer, ops::no_flops, grad)
        .with_kernel(kernel)
        .with_ascend("aclnnCat");
}

}  // namespace fusescope
