#include "engine/ops/lang.hpp"
#include "engine/ops/reduction.hpp"
#include "engine/ops/spread.hpp"

namespace fusescope {
namespace {

std::vector<Tensor> decompose(std::span<const Tensor> in, const Attrs& attrs) {
    return {spread::variance(in[0], attrs)};
}

void grad(GradContext& g) {
    using namespace lang;
    const Tensor& x = g.inputs[0];
    const Tensor dy = reduction::keep(g.out_grads[0], x.shape(), g.attrs[0]);
    g.set(0, dy * spread::centred(x, g.attrs) * (2.0 / spread::freedom(x.shape(), g.attrs)));
}

}  // namespace

OpDef op_var() {
    return OpDef({.name = "ReduceVar",
                  .functional = "var",
                  .methods = {"var"},
                  .doc = "Variance over axes: the mean square distance from the mean, with ddof degrees less.",
                  .operands = {{"input", Accept::floating}},
                  .attributes = spread::attributes(),
                  .promotes = true,
                  .ints_become_float = true},
                 spread::infer, spread::cost, grad)
        .with_decompose(decompose)
        .with_ascend("aclnnVar")
        .with_hazard("mean_of_nothing", true, false)
        .with_hazard("inf_minus_inf", true, false)
        .with_hazard("overflow", false, true);
}

}  // namespace fusescope
