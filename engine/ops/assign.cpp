#include "engine/cpu/strided_copy.hpp"
#include "engine/ops/common.hpp"

namespace fusescope {
namespace {

void infer(InferContext& c) {
    const Shape& shape = c.inputs[0].shape;
    if (c.inputs[1].shape != shape) {
        throw UserError(ErrorKind::shape, c.op.name(),
                        "Assign: a parameter of shape " + to_string(shape) + " cannot take a value of shape " +
                            to_string(c.inputs[1].shape),
                        {to_string(shape), to_string(c.inputs[1].shape)},
                        "a parameter keeps its shape; reshape or broadcast the value first");
    }
    ops::infer_same(c);
}

void kernel(const KernelArgs& args) {
    const Shape flat{args.inputs[1].count()};
    cpu::copy_strided(flat, args.inputs[1].data, {1}, args.outputs[0].data, {1}, size_of(args.inputs[1].dtype()));
}

}  // namespace

OpDef op_assign() {
    return OpDef({.name = "Assign",
                  .functional = "assign",
                  .doc = "Gives a Parameter a new value.",
                  .operands = {{"variable"}, {"value"}},
                  .promotes = true,
                  .traits = {.effect = true, .writes = 1}},
                 infer, ops::no_flops, kNoGradient)
        .with_kernel(kernel)
        .with_ascend("aclnnInplaceCopy");
}

}  // namespace fusescope
