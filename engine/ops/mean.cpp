#include "engine/ops/lang.hpp"
#include "engine/ops/reduction.hpp"

namespace fusescope {
namespace {

void grad(GradContext& g) {
    const Shape& shape = g.inputs[0].shape();
    const double count =
        static_cast<double>(reduction::reduced_count(shape, reduction::flags("ReduceMean", g.attrs[0], shape.rank())));
    const Tensor share = lang::operator/(g.out_grads[0], count);
    g.set(0, lang::broadcast_to(reduction::keep(share, shape, g.attrs[0]), shape));
}

}  // namespace

OpDef op_mean() {
    return OpDef({.name = "ReduceMean",
                  .functional = "mean",
                  .methods = {"mean"},
                  .doc = "Arithmetic mean over axes; NaN when there are no elements.",
                  .operands = {{"input", Accept::floating}},
                  .attributes = reduction::attributes(),
                  .promotes = true,
                  .ints_become_float = true,
                  .traits = {.reduction = true}},
                 reduction::infer_same, reduction::cost, grad)
        .with_kernel(reduction::kernel<cpu::Fold::mean>)
        .with_ascend("aclnnMean")
        .with_hazard("mean_of_nothing", true, false)
        .with_hazard("inf_minus_inf", true, false)
        .with_hazard("overflow", false, true);
}

}  // namespace fusescope
