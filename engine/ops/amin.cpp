#include "engine/ops/common.hpp"
#include "engine/ops/lang.hpp"
#include "engine/ops/reduction.hpp"

namespace fusescope {
namespace {

// Elements equal to the smallest one share its gradient evenly.
void grad(GradContext& g) {
    using namespace lang;
    const Tensor& x = g.inputs[0];
    const Tensor y = reduction::keep(g.outputs[0], x.shape(), g.attrs[0]);
    const Tensor dy = reduction::keep(g.out_grads[0], x.shape(), g.attrs[0]);
    const Tensor hit = lang::cast(equal(x, y), x.dtype());
    const Tensor hits = sum(hit, reduction::axes("ReduceMin", g.attrs[0], x.rank()), true);
    g.set(0, hit * (dy / hits));
}

}  // namespace

OpDef op_amin() {
    return OpDef({.name = "ReduceMin",
                  .functional = "amin",
                  .methods = {"amin"},
                  .doc = "Smallest element over axes; NaN when one is NaN.",
                  .operands = {{"input"}},
                  .attributes = reduction::attributes(),
                  .traits = {.reduction = true}},
                 reduction::infer_nonempty, reduction::cost, grad)
        .with_kernel(reduction::kernel<cpu::Fold::min>)
        .with_ascend("aclnnAmin");
}

}  // namespace fusescope
