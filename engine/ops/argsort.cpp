#include "engine/cpu/sort.hpp"
#include "engine/ops/common.hpp"

namespace fusescope {
namespace {

using ops::at;

void infer(InferContext& c) {
    normalize_axis(c.op.name(), c.attrs.integer(0), c.inputs[0].shape.rank());
    c.result(DType::Int64, c.inputs[0].shape);
}

void kernel(const KernelArgs& args) {
    const KernelTensor& in = args.inputs[0];
    const auto axis = at(normalize_axis("ArgSort", args.attrs.integer(0), in.shape().rank()));
    cpu::sort_along(in, axis, args.attrs.boolean(1), in.shape()[axis], {}, args.outputs[0]);
}

}  // namespace

OpDef op_argsort() {
    return OpDef({.name = "ArgSort",
                  .functional = "argsort",
                  .methods = {"argsort"},
                  .doc = "Indices that put the elements in order along an axis.",
                  .operands = {{"input"}},
                  .attributes = {{"axis", AttrType::integer, std::int64_t{-1}},
                                 {"descending", AttrType::boolean, false}}},
                 infer, ops::input_flops, kNoGradient)
        .with_kernel(kernel)
        .with_ascend("aclnnArgsort");
}

}  // namespace fusescope
