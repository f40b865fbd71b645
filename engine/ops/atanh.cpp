#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Atanh {
    template <class V>
    static V eval(V x) {
        return expr::atanh(x);
    }
};

void grad(GradContext& g) {
    using namespace lang;
    const Tensor& x = g.inputs[0];
    const Tensor& dy = g.out_grads[0];
    g.set(0, dy / (1.0 - x * x));
}

}  // namespace

OpDef op_atanh() {
    return elementwise<Atanh, Takes::floating>({.name = "Atanh",
                                                .functional = "atanh",
                                                .aliases = {"arctanh"},
                                                .methods = {"atanh", "arctanh"},
                                                .doc = "Inverse hyperbolic tangent of each element.",
                                                .operands = {{"input"}}},
                                               grad)
        .with_ascend("aclnnAtanh")
        .with_hazard("outside_minus_one_to_one", true, false)
        .with_hazard("atanh_of_one", false, true);
}

}  // namespace fusescope
