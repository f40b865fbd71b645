#include "engine/ops/common.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

using ops::at;

// Shifts are given for the axes in `dims`; without them the flattened tensor is rolled.
Tensor rolled(const Tensor& x, const Ints& shifts, const AttrValue& dims, std::int64_t sign) {
    const Ints* axes = std::get_if<Ints>(&dims);
    Tensor t = axes ? x : lang::reshape(x, Shape{x.count()});
    for (std::size_t i = 0; i < shifts.size(); ++i) {
        const int axis = axes ? normalize_axis("Roll", (*axes)[i], t.rank()) : 0;
        const std::int64_t extent = t.shape()[at(axis)];
        if (extent == 0) continue;
        const std::int64_t shift = ((sign * shifts[i]) % extent + extent) % extent;
        if (shift == 0) continue;
        const Tensor parts[2] = {lang::slice_axis(t, axis, extent - shift, extent),
                                 lang::slice_axis(t, axis, 0, extent - shift)};
        t = lang::concat(parts, axis);
    }
    return lang::reshape(t, x.shape());
}

void infer(InferContext& c) {
    const Ints& shifts = c.attrs.ints(0);
    const Ints* axes = std::get_if<Ints>(&c.attrs[1]);
    if (axes ? axes->size() != shifts.size() : shifts.size() != 1) {
        throw UserError(ErrorKind::value, c.op.name(),
                        "Roll: " + std::to_string(shifts.size()) + " shifts for " +
                            (axes ? std::to_string(axes->size()) + " axes" : "the flattened tensor"),
                        {to_string(c.inputs[0].shape)}, "give one shift for each axis in dims");
    }
    if (axes) {
        for (std::int64_t a : *axes) normalize_axis(c.op.name(), a, c.inputs[0].shape.rank());
    }
    ops::infer_same(c);
}

std::vector<Tensor> decompose(std::span<const Tensor> in, const Attrs& attrs) {
    // A copy when nothing moves: the result is a value of its own.
    return {lang::identity(rolled(in[0], attrs.ints(0), attrs[1], 1))};
}

void grad(GradContext& g) { g.set(0, rolled(g.out_grads[0], g.attrs.ints(0), g.attrs[1], -1)); }

}  // namespace

OpDef op_roll() {
    return OpDef({.name = "Roll",
                  .functional = "roll",
                  .methods = {"roll"},
                  .doc = "Moves elements along axes; those that leave at the end come in at the start.",
                  .operands = {{"input"}},
                  .attributes = {{"shifts", AttrType::ints, {}, true}, {"dims", AttrType::optional_ints, {}}}},
                 infer, ops::no_flops, grad)
        .with_decompose(decompose)
        .with_ascend("aclnnRoll");
}

}  // namespace fusescope
