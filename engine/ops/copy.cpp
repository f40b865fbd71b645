#include "engine/cpu/strided_copy.hpp"
#include "engine/ops/common.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

void kernel(const KernelArgs& args) {
    const Shape flat{args.inputs[0].count()};
    cpu::copy_strided(flat, args.inputs[0].data, {1}, args.outputs[0].data, {1}, size_of(args.inputs[0].dtype()));
}

void grad(GradContext& g) { g.set(0, lang::identity(g.out_grads[0])); }

}  // namespace

OpDef op_copy() {
    return OpDef({.name = "TensorCopy",
                  .functional = "deepcopy",
                  .methods = {"copy", "clone"},
                  .doc = "The same elements in memory of their own.",
                  .operands = {{"input"}}},
                 ops::infer_same, ops::no_flops, grad)
        .with_kernel(kernel)
        .with_ascend("aclnnInplaceCopy");
}

}  // namespace fusescope
