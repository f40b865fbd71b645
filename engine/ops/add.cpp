#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Add {
    template <class V>
    static V eval(V x, V y) {
        return x + y;
    }
};

void grad(GradContext& g) {
    for (std::size_t i = 0; i < 2; ++i) {
        if (g.need(i)) g.set(i, lang::sum_to(g.out_grads[0], g.inputs[i].shape()));
    }
}

}  // namespace

OpDef op_add() {
    return elementwise<Add, Takes::number>({.name = "Add",
                                            .functional = "add",
                                            .methods = {"add"},
                                            .doc = "Sum of two tensors, element by element, with broadcasting.",
                                            .operands = {{"input"}, {"other"}},
                                            .traits = {.commutative = true}},
                                           grad)
        .with_ascend("aclnnAdd")
        .with_hazard("inf_minus_inf", true, false)
        .with_hazard("overflow", false, true);
}

}  // namespace fusescope
