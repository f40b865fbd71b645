#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Atan {
    template <class V>
    static V eval(V x) {
        return expr::atan(x);
    }
};

void grad(GradContext& g) {
    using namespace lang;
    const Tensor& x = g.inputs[0];
    const Tensor& dy = g.out_grads[0];
    g.set(0, dy / (x * x + 1.0));
}

}  // namespace

OpDef op_atan() {
    return elementwise<Atan, Takes::floating>({.name = "Atan",
                                               .functional = "atan",
                                               .aliases = {"arctan"},
                                               .methods = {"atan", "arctan"},
                                               .doc = "Angle whose tangent is each element.",
                                               .operands = {{"input"}}},
                                              grad)
        .with_ascend("aclnnAtan");
}

}  // namespace fusescope
