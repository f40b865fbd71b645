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
    const auto flags = reduction::flags("ReduceVar", attrs[0], shape.rank());
    return static_cast<double>(reduction::reduced_count(shape, flags) - attrs.integer(1));
}

Tensor centred(const Tensor& x, const Attrs& attrs) {
    using namespace lang;
    return x - mean(x, reduction::axes("ReduceVar", attrs[0], x.rank()), true);
}

std::vector<Tensor> decompose(std::span<const Tensor> in, const Attrs& attrs) {
    using namespace lang;
    const Tensor& x = in[0];
    const Ints axes = reduction::axes("ReduceVar", attrs[0], x.rank());
    const Tensor apart = centred(x, attrs);
    return {(sum(apart * apart, axes, attrs.boolean(2)) / freedom(x.shape(), attrs))};
}

void cost(std::span<const TensorType> in, std::span<const TensorType>, const Attrs&, Cost& c) {
    c.flops = 4 * static_cast<std::uint64_t>(in[0].shape.count());
}

void grad(GradContext& g) {
    using namespace lang;
    const Tensor& x = g.inputs[0];
    const Tensor dy = reduction::keep(g.out_grads[0], x.shape(), g.attrs[0]);
    g.set(0, dy * centred(x, g.attrs) * (2.0 / freedom(x.shape(), g.attrs)));
}

}  // namespace

OpDef op_var() {
    return OpDef({.name = "ReduceVar",
                  .functional = "var",
                  .methods = {"var"},
                  .doc = "Variance over axes: the mean square distance from the mean, with ddof degrees less.",
                  .operands = {{"input", Accept::floating}},
                  .attributes = {{"axis", AttrType::optional_ints, {}},
                                 {"ddof", AttrType::integer, std::int64_t{0}},
                                 {"keep_dims", AttrType::boolean, false}},
                  .promotes = true,
                  .ints_become_float = true},
                 infer, cost, grad)
        .with_decompose(decompose)
        .with_ascend("aclnnVar")
        .with_hazard("mean_of_nothing", true, false)
        .with_hazard("inf_minus_inf", true, false)
        .with_hazard("overflow", false, true);
}

}  // namespace fusescope
