#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Select {
    template <class V>
    static V eval(typename V::Mask condition, V a, V b) {
        return expr::select(condition, a, b);
    }
};

void grad(GradContext& g) {
    const Tensor zero = lang::constant(g.out_grads[0], 0);
    if (g.need(1)) g.set(1, lang::sum_to(lang::select(g.inputs[0], g.out_grads[0], zero), g.inputs[1].shape()));
    if (g.need(2)) g.set(2, lang::sum_to(lang::select(g.inputs[0], zero, g.out_grads[0]), g.inputs[2].shape()));
}

}  // namespace

OpDef op_select() {
    return elementwise<Select, Takes::any>(
               {.name = "Select",
                .functional = "where",
                .aliases = {"select"},
                .doc = "Takes each element from `input` where the condition holds, else from `other`.",
                .operands = {{"condition"}, {"input"}, {"other"}}},
               grad)
        .with_ascend("aclnnSWhere");
}

}  // namespace fusescope
