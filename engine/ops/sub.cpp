#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Sub {
    template <class V>
    static V eval(V x, V y) {
        return x - y;
    }
};

void grad(GradContext& g) {
    using namespace lang;
    if (g.need(0)) g.set(0, sum_to(g.out_grads[0], g.inputs[0].shape()));
    if (g.need(1)) g.set(1, sum_to(-g.out_grads[0], g.inputs[1].shape()));
}

}  // namespace

OpDef op_sub() {
    return elementwise<Sub, Takes::number>({.name = "Sub",
                                            .functional = "sub",
                                            .aliases = {"subtract"},
                                            .methods = {"sub"},
                                            .doc = "Difference of two tensors, element by element, with broadcasting.",
                                            .operands = {{"input"}, {"other"}}},
                                           grad)
        .with_ascend("aclnnSub")
        .with_hazard("inf_minus_inf", true, false)
        .with_hazard("overflow", false, true);
}

}  // namespace fusescope
