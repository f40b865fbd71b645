#include "engine/ops/common.hpp"

namespace fusescope {
OpDef op_stop_gradient() {
    return OpDef({.name = "StopGradient",
                  .functional = "stop_gradient",
                  .doc = "The tensor itself, through which no gradient flows back.",
                  .operands = {{"value"}},
                  .traits = {.view = true}},
                 ops::infer_same, ops::no_cost, kNoGradient);
}

}  // namespace fusescope
