#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Acos {
    template <class V>
    static V eval(V x) {
        return expr::acos(x);
    }
};

void grad(GradContext& g) {
    using namespace lang;
    const Tensor& x = g.inputs[0];
    const Tensor& dy = g.out_grads[0];
    g.set(0, -(dy * rsqrt(1.0 - x * x)));
}

}  // namespace

OpDef op_acos() {
    return elementwise<Acos, Takes::floating>({.name = "ACos",
                                               .functional = "acos",
                                               .aliases = {"arccos"},
                                               .methods = {"acos", "arccos"},
                                               .doc = "Angle whose cosine is each element.",
                                               .operands = {{"input"}}},
                                              grad)
        .with_ascend("aclnnAcos")
        .with_hazard("outside_minus_one_to_one", true, false);
}

}  // namespace fusescope
