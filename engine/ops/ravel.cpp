#include "engine/ops/common.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

void infer(InferContext& c) { c.result(c.inputs[0].dtype, Shape{c.inputs[0].shape.count()}); }

void grad(GradContext& g) { g.set(0, lang::reshape(g.out_grads[0], g.inputs[0].shape())); }

}  // namespace

OpDef op_ravel() {
    return OpDef({.name = "Ravel",
                  .functional = "ravel",
                  .methods = {"ravel"},
                  .doc = "All elements along one axis.",
                  .operands = {{"input"}},
                  .traits = {.view = true}},
                 infer, ops::no_cost, grad)
        .with_ascend("aclnnReshape");
}

}  // namespace fusescope
