#include "engine/ops/common.hpp"
#include "engine/ops/elementwise.hpp"

namespace fusescope {
namespace {

struct Body {
    template <class V>
    static V eval(V x, V y) {
        return x + y;
    }
};

void infer(InferContext& c) {
    const Shape& shape = c.inputs[0].shape;
    const auto joined = broadcast(shape, c.inputs[1].shape);
    if (!joined || *joined != shape) {
        throw UserError(ErrorKind::shape, c.op.name(),
                        "AssignAdd: a parameter of shape " + to_string(shape) + " cannot take a value of shape " +
                            to_string(c.inputs[1].shape),
                        {to_string(shape), to_string(c.inputs[1].shape)},
                        "the value must have the shape of the parameter or broadcast to it");
    }
    ops::infer_same(c);
}

}  // namespace

OpDef op_assign_add() {
    // Not a row of `elementwise`: what writes a Parameter is never fused as if it were a plain sum.
    return OpDef({.name = "AssignAdd",
                  .functional = "assign_add",
                  .doc = "Adds a value to a Parameter.",
                  .operands = {{"variable", Accept::number}, {"value", Accept::number}},
                  .promotes = true,
                  .traits = {.effect = true, .writes = 1}},
                 infer, ops::output_flops, kNoGradient)
        .with_kernel(elementwise_detail::kernel<Body, Takes::number, 2, 0>)
        .with_ascend("aclnnInplaceAdd");
}

}  // namespace fusescope
