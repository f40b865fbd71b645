#include "engine/ops/common.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

using ops::at;

void infer(InferContext& c) {
    const Shape& shape = c.inputs[0].shape;
    if (shape.rank() == 0) {
        c.result(c.inputs[0].dtype, Shape{1});
        return;
    }
    // The default start suits batches; a vector has no second axis to start at.
    const std::int64_t start = c.attrs.integer(0);
    const int first = normalize_axis(c.op.name(), start == 1 && shape.rank() == 1 ? 0 : start, shape.rank());
    const int last = normalize_axis(c.op.name(), c.attrs.integer(1), shape.rank());
    if (first > last) {
        throw UserError(ErrorKind::value, c.op.name(),
                        "Flatten: start_dim " + std::to_string(first) + " lies after end_dim " + std::to_string(last));
    }
    Shape out;
    for (int k = 0; k < first; ++k) out.push_back(shape[at(k)]);
    out.push_back(ops::extent_of(shape, at(first), at(last) + 1));
    for (int k = last + 1; k < shape.rank(); ++k) out.push_back(shape[at(k)]);
    c.result(c.inputs[0].dtype, out);
}

void grad(GradContext& g) { g.set(0, lang::reshape(g.out_grads[0], g.inputs[0].shape())); }

}  // namespace

OpDef op_flatten() {
    return OpDef({.name = "Flatten",
                  .functional = "flatten",
                  .doc = "Merges the axes from start_dim to end_dim.",
                  .operands = {{"input"}},
                  .attributes = {{"start_dim", AttrType::integer, std::int64_t{1}},
                                 {"end_dim", AttrType::integer, std::int64_t{-1}}},
                  .traits = {.view = true}},
                 infer, ops::no_cost, grad)
        .with_ascend("aclnnFlatten");
}

}  // namespace fusescope
