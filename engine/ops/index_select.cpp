#include "engine/ops/common.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

using ops::at;

void infer(InferContext& c) {
    if (c.inputs[1].shape.rank() > 1) {
        throw UserError(ErrorKind::shape, c.op.name(),
                        "IndexSelect: `index` has shape " + to_string(c.inputs[1].shape) + ", but must be a vector",
                        {to_string(c.inputs[1].shape)}, "gather takes indices of any shape");
    }
    Shape out = c.inputs[0].shape;
    out[at(normalize_axis(c.op.name(), c.attrs.integer(0), out.rank()))] = c.inputs[1].shape.count();
    c.result(c.inputs[0].dtype, out);
}

std::vector<Tensor> decompose(std::span<const Tensor> in, const Attrs& attrs) {
    const std::int64_t axis = normalize_axis("IndexSelect", attrs.integer(0), in[0].rank());
    return {lang::gather(in[0], lang::reshape(in[1], Shape{in[1].count()}), axis)};
}

void grad(GradContext& g) {
    g.set(0, lang::index_add(lang::zeros_like(g.inputs[0]), lang::reshape(g.inputs[1], Shape{g.inputs[1].count()}),
                             g.out_grads[0], g.attrs.integer(0)));
}

}  // namespace

OpDef op_index_select() {
    return OpDef({.name = "IndexSelect",
                  .functional = "",
                  .doc = "Slices of a tensor along an axis, in the order of a vector of indices.",
                  .operands = {{"input"}, {"index", Accept::index}},
                  .attributes = {{"axis", AttrType::integer, {}, true}}},
                 infer, ops::no_flops, grad)
        .with_decompose(decompose)
        .with_ascend("aclnnIndexSelect");
}

}  // namespace fusescope
