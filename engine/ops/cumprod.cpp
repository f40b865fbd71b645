#include "engine/ops/lang.hpp"
#include "engine/ops/scan.hpp"

namespace fusescope {
namespace {

void kernel(const KernelArgs& args) {
    ops::scan("CumProd", args, 1, [](auto a, auto b) { return a * b; });
}

void grad(GradContext& g) {
    g.set(0,
          lang::cumprod_grad(g.inputs[0], g.out_grads[0], g.attrs.integer(0), g.attrs.boolean(1), g.attrs.boolean(2)));
}

}  // namespace

OpDef op_cumprod() {
    return OpDef({.name = "CumProd",
                  .functional = "cumprod",
                  .doc = "Running product along an axis; ints give Int64.",
                  .operands = {{"input"}},
                  .attributes = {{"dim", AttrType::integer, {}, true},
                                 {"exclusive", AttrType::boolean, false},
                                 {"reverse", AttrType::boolean, false}}},
                 ops::infer_scan, ops::input_flops, grad)
        .with_kernel(kernel)
        .with_ascend("aclnnCumprod")
        .with_hazard("zero_times_inf", true, false)
        .with_hazard("overflow", false, true);
}

}  // namespace fusescope
