#include "engine/ops/reduction.hpp"

namespace fusescope {

OpDef op_amin() {
    return OpDef({.name = "ReduceMin",
                  .functional = "amin",
                  .methods = {"amin"},
                  .doc = "Smallest element over axes; NaN when one is NaN.",
                  .operands = {{"input"}},
                  .attributes = reduction::attributes(),
                  .traits = {.reduction = true}},
                 reduction::infer_nonempty, reduction::cost, reduction::extreme_grad)
        .with_kernel(reduction::kernel<cpu::Fold::min>)
        .with_ascend("aclnnAmin");
}

}  // namespace fusescope
