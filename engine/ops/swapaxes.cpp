#include <utility>

#include "engine/ops/common.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

using ops::at;

Ints permutation(const Shape& shape, const Attrs& attrs) {
    Ints p;
    for (int k = 0; k < shape.rank(); ++k) p.push_back(k);
    const int a = normalize_axis("SwapAxes", attrs.integer(0), shape.rank());
    const int b = normalize_axis("SwapAxes", attrs.integer(1), shape.rank());
    std::swap(p[at(a)], p[at(b)]);
    return p;
}

void infer(InferContext& c) {
    Shape out;
    for (std::int64_t axis : permutation(c.inputs[0].shape, c.attrs)) out.push_back(c.inputs[0].shape[at(axis)]);
    c.result(c.inputs[0].dtype, out);
}

std::vector<Tensor> decompose(std::span<const Tensor> in, const Attrs& attrs) {
    return {lang::transpose(in[0], permutation(in[0].shape(), attrs))};
}

void grad(GradContext& g) { g.set(0, lang::transpose(g.out_grads[0], permutation(g.inputs[0].shape(), g.attrs))); }

}  // namespace

OpDef op_swapaxes() {
    return OpDef({.name = "SwapAxes",
                  .functional = "swapaxes",
                  .aliases = {"swapdims"},
                  .methods = {"swapaxes", "swapdims"},
                  .doc = "Exchanges two axes.",
                  .operands = {{"input"}},
                  .attributes = {{"axis0", AttrType::integer, {}, true}, {"axis1", AttrType::integer, {}, true}}},
                 infer, ops::no_flops, grad)
        .with_decompose(decompose)
        .with_ascend("aclnnPermute");
}

}  // namespace fusescope
