#include "engine/ops/common.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

void grad(GradContext& g) { g.set(0, lang::identity(g.out_grads[0])); }

}  // namespace

OpDef op_identity() {
    return OpDef({.name = "Identity",
                  .functional = "identity",
                  .aliases = {"positive"},
                  .methods = {"positive"},
                  .doc = "The tensor itself, as a result of its own.",
                  .operands = {{"input"}},
                  .traits = {.view = true}},
                 ops::infer_same, ops::no_cost, grad);
}

}  // namespace fusescope
