#include "engine/cpu/strided_copy.hpp"
#include "engine/ops/common.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

using ops::at;

// The operand seen as (outer, extent, inner); without an axis it is flattened.
struct View {
    std::int64_t outer = 1, extent = 1, inner = 1;
};

View view_of(const Shape& shape, const Attrs& attrs) {
    if (attrs.none(1)) return {1, shape.count(), 1};
    const auto axis = at(normalize_axis("RepeatInterleave", attrs.integer(1), shape.rank()));
    return {ops::extent_of(shape, 0, axis), shape[axis], ops::extent_of(shape, axis + 1, shape.size())};
}

void infer(InferContext& c) {
    const std::int64_t repeats = c.attrs.integer(0);
    if (repeats < 0) {
        throw UserError(ErrorKind::value, c.op.name(),
                        "RepeatInterleave: repeats is " + std::to_string(repeats) + ", but it cannot be negative");
    }
    Shape out = c.inputs[0].shape;
    if (c.attrs.none(1)) {
        out = Shape{out.count() * repeats};
    } else {
        out[at(normalize_axis(c.op.name(), c.attrs.integer(1), out.rank()))] *= repeats;
    }
    c.result(c.inputs[0].dtype, out);
}

void kernel(const KernelArgs& args) {
    const KernelTensor& in = args.inputs[0];
    const View v = view_of(in.shape(), args.attrs);
    const Shape shape{v.outer, v.extent, args.attrs.integer(0), v.inner};
    cpu::copy_strided(shape, in.data, {v.extent * v.inner, v.inner, 0, 1}, args.outputs[0].data, strides_of(shape),
                      size_of(in.dtype()));
}

void grad(GradContext& g) {
    const View v = view_of(g.inputs[0].shape(), g.attrs);
    const Tensor parts = lang::reshape(g.out_grads[0], Shape{v.outer, v.extent, g.attrs.integer(0), v.inner});
    g.set(0, lang::reshape(lang::sum(parts, {2}, false), g.inputs[0].shape()));
}

}  // namespace

OpDef op_repeat_interleave() {
    return OpDef({.name = "RepeatInterleave",
                  .functional = "repeat_interleave",
                  .aliases = {"repeat_elements"},
                  .methods = {"repeat_interleave"},
                  .doc = "Each element several times in a row, along an axis or over the flattened tensor.",
                  .operands = {{"input"}},
                  .attributes = {{"repeats", AttrType::integer, {}, true}, {"axis", AttrType::optional_int, {}}}},
                 infer, ops::no_flops, grad)
        .with_kernel(kernel)
        .with_ascend("aclnnRepeatInterleaveInt");
}

}  // namespace fusescope
