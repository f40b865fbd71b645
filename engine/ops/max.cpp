#include "engine/ops/extreme.hpp"

namespace fusescope {

OpDef op_max() {
    return OpDef({.name = "ArgMaxWithValue",
                  .functional = "max",
                  .doc = "The largest element along an axis and its index; without an axis, of the flattened tensor.",
                  .operands = {{"input"}},
                  .attributes = {{"axis", AttrType::optional_int, {}}, {"keep_dims", AttrType::boolean, false}},
                  .outputs = 2},
                 ops::infer_extreme_with_place, ops::input_flops, ops::extreme_with_place_grad)
        .with_kernel(ops::extreme_with_place<true>)
        .with_ascend("aclnnMaxDim");
}

}  // namespace fusescope
