#include "engine/cpu/argreduce.hpp"
#include "engine/ops/common.hpp"
#include "engine/ops/extreme.hpp"

namespace fusescope {
namespace {

void infer(InferContext& c) { c.result(DType::Int64, ops::extreme_shape(c)); }

void kernel(const KernelArgs& args) {
    const ops::Lines l = ops::lines_of("Argmax", args.inputs[0].shape(), args.attrs);
    cpu::arg_reduce(args.inputs[0], l.outer, l.extent, l.inner, true, args.outputs[0], {});
}

}  // namespace

OpDef op_argmax() {
    return OpDef({.name = "Argmax",
                  .functional = "argmax",
                  .methods = {"argmax"},
                  .doc = "Index of the first largest element along an axis, or of the flattened tensor.",
                  .operands = {{"input"}},
                  .attributes = {{"axis", AttrType::optional_int, {}}, {"keep_dims", AttrType::boolean, false}}},
                 infer, ops::input_flops, kNoGradient)
        .with_kernel(kernel)
        .with_ascend("aclnnArgMax");
}

}  // namespace fusescope
