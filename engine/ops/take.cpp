#include "engine/ops/common.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

using ops::at;

// Without an axis the tensor is flattened first.
void infer(InferContext& c) {
    const Shape& shape = c.inputs[0].shape;
    if (c.attrs.none(0)) {
        c.result(c.inputs[0].dtype, c.inputs[1].shape);
        return;
    }
    const int axis = normalize_axis(c.op.name(), c.attrs.integer(0), shape.rank());
    Shape out;
    for (int k = 0; k < axis; ++k) out.push_back(shape[at(k)]);
    for (std::int64_t extent : c.inputs[1].shape) out.push_back(extent);
    for (int k = axis + 1; k < shape.rank(); ++k) out.push_back(shape[at(k)]);
    c.result(c.inputs[0].dtype, out);
}

std::vector<Tensor> decompose(std::span<const Tensor> in, const Attrs& attrs) {
    if (attrs.none(0)) return {lang::gather(lang::reshape(in[0], Shape{in[0].count()}), in[1], 0)};
    return {lang::gather(in[0], in[1], attrs.integer(0))};
}

void grad(GradContext& g) {
    const Shape& shape = g.inputs[0].shape();
    const bool flat = g.attrs.none(0);
    Shape whole = flat ? Shape{shape.count()} : shape;
    const auto axis = flat ? std::size_t{0} : at(normalize_axis("Take", g.attrs.integer(0), shape.rank()));
    const std::int64_t n = g.inputs[1].count();
    Shape rows = whole;
    rows[axis] = n;
    const Tensor sum = lang::index_add(lang::zeros(g.inputs[0].dtype(), whole), lang::reshape(g.inputs[1], Shape{n}),
                                       lang::reshape(g.out_grads[0], rows), static_cast<std::int64_t>(axis));
    g.set(0, lang::reshape(sum, shape));
}

}  // namespace

OpDef op_take() {
    return OpDef({.name = "Take",
                  .functional = "take",
                  .methods = {"take"},
                  .doc = "Elements, or slices along an axis, in the order of indices.",
                  .operands = {{"input"}, {"indices", Accept::index}},
                  .attributes = {{"axis", AttrType::optional_int, {}}}},
                 infer, ops::no_flops, grad)
        .with_decompose(decompose);
}

}  // namespace fusescope
