#include "engine/ops/lang.hpp"
#include "engine/ops/scan.hpp"

namespace fusescope {
namespace {

void kernel(const KernelArgs& args) {
    ops::scan("CumSum", args, 0, [](auto a, auto b) { return a + b; });
}

void grad(GradContext& g) {
    g.set(0, lang::cumsum(g.out_grads[0], g.attrs.integer(0), g.attrs.boolean(1), !g.attrs.boolean(2)));
}

}  // namespace

OpDef op_cumsum() {
    return OpDef({.name = "CumSum",
                  .functional = "cumsum",
                  .methods = {"cumsum"},
                  .doc = "Running sum along an axis; ints give Int64.",
                  .operands = {{"x"}},
                  .attributes = {{"axis", AttrType::integer, {}, true},
                                 {"exclusive", AttrType::boolean, false},
                                 {"reverse", AttrType::boolean, false}}},
                 ops::infer_scan, ops::input_flops, grad)
        .with_kernel(kernel)
        .with_ascend("aclnnCumsumV2")
        .with_hazard("inf_minus_inf", true, false)
        .with_hazard("overflow", false, true);
}

}  // namespace fusescope
