#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Square {
    template <class V>
    static V eval(V x) {
        return x * x;
    }
};

void grad(GradContext& g) {
    using namespace lang;
    const Tensor& x = g.inputs[0];
    const Tensor& dy = g.out_grads[0];
    g.set(0, dy * (x * 2.0));
}

}  // namespace

OpDef op_square() {
    return elementwise<Square, Takes::number>({.name = "Square",
                                               .functional = "square",
                                               .methods = {"square"},
                                               .doc = "Each element times itself.",
                                               .operands = {{"input"}}},
                                              grad)
        .with_ascend("aclnnSquare")
        .with_hazard("overflow", false, true);
}

}  // namespace fusescope
