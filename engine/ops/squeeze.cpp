#include <algorithm>

#include "engine/ops/common.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

using ops::at;

Ints axes_of(const InferContext& c) {
    const Shape& shape = c.inputs[0].shape;
    Ints axes;
    if (c.attrs.none(0)) {
        for (int k = 0; k < shape.rank(); ++k) {
            if (shape[at(k)] == 1) axes.push_back(k);
        }
        return axes;
    }
    for (std::int64_t a : c.attrs.ints(0)) {
        const int axis = normalize_axis(c.op.name(), a, shape.rank());
        if (shape[at(axis)] != 1) {
            throw UserError(ErrorKind::shape, c.op.name(),
                            "Squeeze: axis " + std::to_string(a) + " of shape " + to_string(shape) + " has extent " +
                                std::to_string(shape[at(axis)]) + "; only axes of extent 1 can be dropped",
                            {to_string(shape)}, "reshape merges axes of other extents");
        }
        axes.push_back(axis);
    }
    return axes;
}

void infer(InferContext& c) {
    const Ints axes = axes_of(c);
    Shape out;
    for (int k = 0; k < c.inputs[0].shape.rank(); ++k) {
        if (std::find(axes.begin(), axes.end(), k) == axes.end()) out.push_back(c.inputs[0].shape[at(k)]);
    }
    c.result(c.inputs[0].dtype, out);
}

void grad(GradContext& g) { g.set(0, lang::reshape(g.out_grads[0], g.inputs[0].shape())); }

}  // namespace

OpDef op_squeeze() {
    return OpDef({.name = "Squeeze",
                  .functional = "squeeze",
                  .methods = {"squeeze"},
                  .doc = "Drops axes of extent 1: the given ones, or all.",
                  .operands = {{"input"}},
                  .attributes = {{"axis", AttrType::optional_ints, {}}},
                  .traits = {.view = true}},
                 infer, ops::no_cost, grad)
        .with_ascend("aclnnReshape");
}

}  // namespace fusescope
