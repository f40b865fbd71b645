#include "engine/ops/common.hpp"
#include "engine/ops/lang.hpp"
#include "engine/ops/reduction.hpp"

namespace fusescope {
namespace {

// Attributes: axis, ddof, keep_dims.
void infer(InferContext& c) {
    const Shape& shape = c.inputs[0].shape;
    c.result(c.inputs[0].dtype, reduction::reduced_shape(shape, reduction::flags(c.op.name(), c.attrs[0], shape.rank()),
                                                         c.attrs.boolean(2)));
}

double freedom(const Shape& shape, const Attrs& attrs) {
    const auto flags = reduction::flags("ReduceStd", attrs[0], shape.rank());
    return static_cast<double>(reduction::reduced_count(shape, flags) - attrs.integer(1));
}

Tensor centred(const Tensor& x, const Attrs& attrs) {
    using namespace lang;
    return x - mean(x, reduction::axes("ReduceStd", attrs[0], x.rank()), true);
}

std::vector<Tensor> decompose(std::span<const Tensor> in, const Attrs& attrs) {
    using namespace lang;
    const Tensor& x = in[0];
    const Ints axes = reduction::axes("ReduceStd", attrs[0], x.rank());
    const Tensor apart = centred(x, attrs);
    return {sqrt(sum(apart * apart, axes, attrs.boolean(2)) / freedom(x.shape(), attrs))};
}

void cost(std::span<const TensorType> in, std::span<const TensorType>, const Attrs&, Cost& c) {
    c.flops = 4 * static_cast<std::uint64_t>(in[0].shape.count());
}

// Where all elements are equal the deviation has a corner; its gradient is taken as 0 there.
void grad(GradContext& g) {
    using namespace lang;
    const Tensor& x = g.inputs[0];
    const Tensor y = reduction::keep(g.outputs[0], x.shape(), g.attrs[0]);
    const Tensor dy = reduction::keep(g.out_grads[0], x.shape(), g.attrs[0]);
    const Tensor divisor = select(equal(y, constant(y, 0)), constant(y, 1), y);  // where y is 0, x is its mean
    g.set(0, dy / (divisor * freedom(x.shape(), g.attrs)) * centred(x, g.attrs));
}

}  // namespace

OpDef op_std() {
    return OpDef({.name = "ReduceStd",
                  .functional = "std",
                  .methods = {"std"},
                  .doc = "Standard deviation over axes, with ddof degrees of freedom less.",
                  .operands = {{"input", Accept::floating}},
                  .attributes = {{"axis", AttrType::optional_ints, {}},
                                 {"ddof", AttrType::integer, std::int64_t{0}},
                                 {"keep_dims", AttrType::boolean, false}},
                  .promotes = true,
                  .ints_become_float = true},
                 infer, cost, grad)
        .with_decompose(decompose)
        .with_ascend("aclnnStd")
        .with_hazard("mean_of_nothing", true, false)
        .with_hazard("inf_minus_inf", true, false)
        .with_hazard("overflow", false, true);
}

}  // namespace fusescope
