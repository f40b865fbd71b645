#include <limits>

#include "engine/ops/common.hpp"
#include "engine/ops/lang.hpp"
#include "engine/ops/reduction.hpp"

namespace fusescope {
namespace {

// Attributes: ord (None: 2), dim, keepdim.
double order_of(const Attrs& attrs) { return attrs.none(0) ? 2.0 : attrs.number(0); }

void infer(InferContext& c) {
    const Shape& shape = c.inputs[0].shape;
    c.result(c.inputs[0].dtype, reduction::reduced_shape(shape, reduction::flags(c.op.name(), c.attrs[1], shape.rank()),
                                                         c.attrs.boolean(2)));
}

std::vector<Tensor> decompose(std::span<const Tensor> in, const Attrs& attrs) {
    using namespace lang;
    const Tensor& x = in[0];
    const double order = order_of(attrs);
    const Ints axes = reduction::axes("LpNorm", attrs[1], x.rank());
    const bool keep = attrs.boolean(2);
    if (order == 2) return {sqrt(sum(x * x, axes, keep))};
    if (order == 1) return {sum(abs(x), axes, keep)};
    if (order == std::numeric_limits<double>::infinity()) return {amax(abs(x), axes, keep)};
    if (order == 0) return {sum(cast(not_equal(x, constant(x, 0)), x.dtype()), axes, keep)};
    const Tensor total = sum(pow(abs(x), constant(x, order)), axes, keep);
    return {pow(total, constant(x, 1 / order))};
}

void cost(std::span<const TensorType> in, std::span<const TensorType>, const Attrs&, Cost& c) {
    c.flops = 2 * static_cast<std::uint64_t>(in[0].shape.count());
}

// The norm has a corner at zero; its gradient is taken as 0 there.
void grad(GradContext& g) {
    using namespace lang;
    const Tensor& x = g.inputs[0];
    const double order = order_of(g.attrs);
    const Tensor y = reduction::keep(g.outputs[0], x.shape(), g.attrs[1]);
    const Tensor dy = reduction::keep(g.out_grads[0], x.shape(), g.attrs[1]);
    const Tensor zero = constant(x, 0);
    if (order == 0) return;
    if (order == 1) return g.set(0, dy * sign(x));
    if (order == std::numeric_limits<double>::infinity()) {
        const Tensor hit = cast(equal(abs(x), y), x.dtype());
        const Tensor hits = sum(hit, reduction::axes("LpNorm", g.attrs[1], x.rank()), true);
        return g.set(0, sign(x) * hit * (dy / hits));
    }
    const Tensor divisor = select(equal(y, zero), constant(x, 1), y);  // where y is 0, x is 0 as well
    if (order == 2) return g.set(0, dy / divisor * x);
    g.set(0, dy * sign(x) * pow(abs(x) / divisor, constant(x, order - 1)));
}

}  // namespace

OpDef op_norm() {
    return OpDef({.name = "LpNorm",
                  .functional = "norm",
                  .methods = {"norm"},
                  .doc = "Norm over axes: (sum of |x|^ord)^(1/ord); ord may be infinite.",
                  .operands = {{"A", Accept::floating}},
                  .attributes = {{"ord", AttrType::optional_number, {}},
                                 {"dim", AttrType::optional_ints, {}},
                                 {"keepdim", AttrType::boolean, false}},
                  .promotes = true,
                  .ints_become_float = true},
                 infer, cost, grad)
        .with_decompose(decompose)
        .with_ascend("aclnnNorm")
        .with_hazard("overflow", false, true);
}

}  // namespace fusescope
