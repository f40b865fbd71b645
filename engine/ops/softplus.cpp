#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Softplus {
    template <class V>
    static V eval(const Attrs& attrs, V x) {
        const V beta = V::of(attrs.number(0));
        const V scaled = x * beta;
        const V soft = (expr::maximum(scaled, expr::zero<V>()) + expr::log1p(expr::exp(-expr::abs(scaled)))) / beta;
        return expr::select(scaled > V::of(attrs.number(1)), x, soft);
    }
};

void grad(GradContext& g) {
    using namespace lang;
    g.set(0, g.out_grads[0] * sigmoid(g.inputs[0] * g.attrs.number(0)));
}

}  // namespace

OpDef op_softplus() {
    return elementwise<Softplus, Takes::floating>(
               {.name = "Softplus",
                .functional = "softplus",
                .doc = "A smooth form of relu: log(1 + exp(beta * x)) / beta, and x itself above the threshold.",
                .operands = {{"input"}},
                .attributes = {{"beta", AttrType::number, 1.0}, {"threshold", AttrType::number, 20.0}}},
               grad)
        .with_ascend("aclnnSoftplus");
}

}  // namespace fusescope
