#include <algorithm>

#include "engine/ops/common.hpp"
#include "engine/ops/lang.hpp"
#include "engine/ops/reduction.hpp"

namespace fusescope {
namespace {

using ops::at;

// The product of all others, for each element, without a division: what comes before it times what comes after it.
void grad(GradContext& g) {
    const Tensor& x = g.inputs[0];
    const Shape& shape = x.shape();
    const Ints axes = reduction::axes("ReduceProd", g.attrs[0], shape.rank());
    Ints permutation;
    Shape kept;
    for (int k = 0; k < shape.rank(); ++k) {
        if (std::find(axes.begin(), axes.end(), k) != axes.end()) continue;
        permutation.push_back(k);
        kept.push_back(shape[at(k)]);
    }
    for (std::int64_t axis : axes) permutation.push_back(axis);
    Shape moved;
    Ints inverse(permutation.size(), 0);
    for (std::size_t k = 0; k < permutation.size(); ++k) {
        moved.push_back(shape[at(permutation[k])]);
        inverse[at(permutation[k])] = static_cast<std::int64_t>(k);
    }
    Shape lines = kept;
    lines.push_back(ops::extent_of(moved, kept.size(), moved.size()));
    const std::int64_t last = kept.rank();
    const Tensor flat = lang::reshape(shape.rank() ? lang::transpose(x, permutation) : x, lines);
    Shape one = kept;
    one.push_back(1);
    using lang::operator*;
    const Tensor others = lang::cumprod(flat, last, true, false) * lang::cumprod(flat, last, true, true);
    const Tensor slope = lang::reshape(others * lang::reshape(g.out_grads[0], one), moved);
    g.set(0, shape.rank() ? lang::transpose(slope, inverse) : slope);
}

}  // namespace

OpDef op_prod() {
    return OpDef({.name = "ReduceProd",
                  .functional = "prod",
                  .methods = {"prod"},
                  .doc = "Product over axes; ints and Bool give Int64.",
                  .operands = {{"input"}},
                  .attributes = reduction::attributes(),
                  .traits = {.reduction = true}},
                 reduction::infer_wide, reduction::cost, grad)
        .with_kernel(reduction::kernel<cpu::Fold::prod>)
        .with_ascend("aclnnProdDim")
        .with_hazard("zero_times_inf", true, false)
        .with_hazard("overflow", false, true);
}

}  // namespace fusescope
