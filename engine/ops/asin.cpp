#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Asin {
    template <class V>
    static V eval(V x) {
        return expr::asin(x);
    }
};

void grad(GradContext& g) {
    using namespace lang;
    const Tensor& x = g.inputs[0];
    const Tensor& dy = g.out_grads[0];
    g.set(0, dy * rsqrt(1.0 - x * x));
}

}  // namespace

OpDef op_asin() {
    return elementwise<Asin, Takes::floating>({.name = "Asin",
                                               .functional = "asin",
                                               .aliases = {"arcsin"},
                                               .methods = {"asin", "arcsin"},
                                               .doc = "Angle whose sine is each element.",
                                               .operands = {{"input"}}},
                                              grad)
        .with_ascend("aclnnAsin")
        .with_hazard("outside_minus_one_to_one", true, false);
}

}  // namespace fusescope
