#include "engine/ops/lang.hpp"
#include "engine/ops/reduction.hpp"
#include "engine/ops/spread.hpp"

namespace fusescope {
namespace {

std::vector<Tensor> decompose(std::span<const Tensor> in, const Attrs& attrs) {
    return {lang::sqrt(spread::variance(in[0], attrs))};
}

// Where all elements are equal the deviation has a corner; its gradient is taken as 0 there.
void grad(GradContext& g) {
    using namespace lang;
    const Tensor& x = g.inputs[0];
    const Tensor y = reduction::keep(g.outputs[0], x.shape(), g.attrs[0]);
    const Tensor dy = reduction::keep(g.out_grads[0], x.shape(), g.attrs[0]);
    const Tensor divisor = select(equal(y, constant(y, 0)), constant(y, 1), y);  // where y is 0, x is its mean
    g.set(0, dy / (divisor * spread::freedom(x.shape(), g.attrs)) * spread::centred(x, g.attrs));
}

}  // namespace

OpDef op_std() {
    return OpDef({.name = "ReduceStd",
                  .functional = "std",
                  .methods = {"std"},
                  .doc = "Standard deviation over axes, with ddof degrees of freedom less.",
                  .operands = {{"input", Accept::floating}},
                  .attributes = spread::attributes(),
                  .promotes = true,
                  .ints_become_float = true},
                 spread::infer, spread::cost, grad)
        .with_decompose(decompose)
        .with_ascend("aclnnStd")
        .with_hazard("mean_of_nothing", true, false)
        .with_hazard("inf_minus_inf", true, false)
        .with_hazard("overflow", false, true);
}

}  // namespace fusescope
