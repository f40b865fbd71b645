#include "engine/ops/common.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

void infer(InferContext& c) {
    Shape shape = c.inputs[0].shape;
    const int axis = normalize_axis(c.op.name(), c.attrs.integer(0), shape.rank() + 1);
    shape.insert(shape.begin() + axis, 1);
    c.result(c.inputs[0].dtype, shape);
}

void grad(GradContext& g) { g.set(0, lang::reshape(g.out_grads[0], g.inputs[0].shape())); }

}  // namespace

OpDef op_expand_dims() {
    return OpDef({.name = "ExpandDims",
                  .functional = "expand_dims",
                  .aliases = {"unsqueeze"},
                  .methods = {"expand_dims", "unsqueeze"},
                  .doc = "Adds an axis of extent 1 at a position.",
                  .operands = {{"input"}},
                  .attributes = {{"axis", AttrType::integer, {}, true}},
                  .traits = {.view = true}},
                 infer, ops::no_cost, grad)
        .with_ascend("aclnnReshape");
}

}  // namespace fusescope
