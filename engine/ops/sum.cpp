#include "engine/ops/lang.hpp"
#include "engine/ops/reduction.hpp"

namespace fusescope {
namespace {

void grad(GradContext& g) {
    const Shape& shape = g.inputs[0].shape();
    g.set(0, lang::broadcast_to(reduction::keep(g.out_grads[0], shape, g.attrs[0]), shape));
}

}  // namespace

OpDef op_sum() {
    return OpDef({.name = "ReduceSum",
                  .functional = "sum",
                  .methods = {"sum"},
                  .doc = "Sum over axes; ints and Bool give Int64.",
                  .operands = {{"input"}},
                  .attributes = reduction::attributes(),
                  .traits = {.reduction = true}},
                 reduction::infer_wide, reduction::cost, grad)
        .with_kernel(reduction::kernel<cpu::Fold::sum>)
        .with_ascend("aclnnReduceSum")
        .with_hazard("inf_minus_inf", true, false)
        .with_hazard("overflow", false, true);
}

}  // namespace fusescope
