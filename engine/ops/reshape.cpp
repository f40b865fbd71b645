#include "engine/ops/lang.hpp"
#include "fusescope/error.hpp"

namespace fusescope {
namespace {

void infer(InferContext& c) {
    Shape shape = c.attrs.ints(0);
    const std::int64_t count = c.inputs[0].shape.count();
    std::int64_t known = 1;
    int open = -1;
    for (int k = 0; k < shape.rank(); ++k) {
        const std::int64_t extent = shape[static_cast<std::size_t>(k)];
        if (extent == -1 && open < 0) {
            open = k;
        } else if (extent < 0) {
            open = -2;
            break;
        } else {
            known *= extent;
        }
    }
    if (open >= 0 && known > 0 && count % known == 0) {
        shape[static_cast<std::size_t>(open)] = count / known;
    } else if (open != -1 || known != count) {
        throw UserError(ErrorKind::shape, c.op.name(),
                        "Reshape: a tensor of shape " + to_string(c.inputs[0].shape) + " has " + std::to_string(count) +
                            " elements, which do not fill shape " + to_string(c.attrs.ints(0)),
                        {to_string(c.inputs[0].shape), to_string(c.attrs.ints(0))},
                        "the extents must multiply to the same number; one of them may be -1");
    }
    c.result(c.inputs[0].dtype, shape);
}

void cost(std::span<const TensorType>, std::span<const TensorType>, const Attrs&, Cost& c) { c = {}; }

void grad(GradContext& g) { g.set(0, lang::reshape(g.out_grads[0], g.inputs[0].shape())); }

}  // namespace

OpDef op_reshape() {
    return OpDef({.name = "Reshape",
                  .functional = "reshape",
                  .methods = {"reshape", "view"},
                  .doc = "The same elements with other extents; one extent may be -1.",
                  .operands = {{"input"}},
                  .attributes = {{"shape", AttrType::ints, {}, true}},
                  .traits = {.view = true}},
                 infer, cost, grad)
        .with_ascend("aclnnReshape");
}

}  // namespace fusescope
