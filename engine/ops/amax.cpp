#include "engine/ops/reduction.hpp"

namespace fusescope {

OpDef op_amax() {
    return OpDef({.name = "ReduceMax",
                  .functional = "amax",
                  .methods = {"amax"},
                  .doc = "Largest element over axes; NaN when one is NaN.",
                  .operands = {{"input"}},
                  .attributes = reduction::attributes(),
                  .traits = {.reduction = true}},
                 reduction::infer_nonempty, reduction::cost, reduction::extreme_grad)
        .with_kernel(reduction::kernel<cpu::Fold::max>)
        .with_ascend("aclnnAmax");
}

}  // namespace fusescope
