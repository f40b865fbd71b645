#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Erfc {
    template <class V>
    static V eval(V x) {
        return expr::erfc(x);
    }
};

void grad(GradContext& g) {
    using namespace lang;
    const Tensor& x = g.inputs[0];
    const Tensor& dy = g.out_grads[0];
    g.set(0, -(dy * (exp(-(x * x)) * 1.12837916709551257390)));
}

}  // namespace

OpDef op_erfc() {
    return elementwise<Erfc, Takes::floating>({.name = "Erfc",
                                               .functional = "erfc",
                                               .methods = {"erfc"},
                                               .doc = "One minus the Gauss error function, exact for large elements.",
                                               .operands = {{"input"}}},
                                              grad)
        .with_ascend("aclnnErfc");
}

}  // namespace fusescope
