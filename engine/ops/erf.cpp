#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Erf {
    template <class V>
    static V eval(V x) {
        return expr::erf(x);
    }
};

void grad(GradContext& g) {
    using namespace lang;
    const Tensor& x = g.inputs[0];
    const Tensor& dy = g.out_grads[0];
    g.set(0, dy * (exp(-(x * x)) * 1.12837916709551257390));
}

}  // namespace

OpDef op_erf() {
    return elementwise<Erf, Takes::floating>({.name = "Erf",
                                              .functional = "erf",
                                              .methods = {"erf"},
                                              .doc = "Gauss error function of each element.",
                                              .operands = {{"input"}}},
                                             grad)
        .with_ascend("aclnnErf");
}

}  // namespace fusescope
