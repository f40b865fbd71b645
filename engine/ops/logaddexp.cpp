#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Logaddexp {
    template <class V>
    static V eval(V x, V y) {
        const V apart = expr::abs(x - y);
        const V sum = expr::maximum(x, y) + expr::log1p(expr::exp(-apart));
        // Two equal infinities have no difference.
        return expr::select(x == y, x + V::of(0.69314718055994530942), sum);
    }
};

void grad(GradContext& g) {
    using namespace lang;
    const Tensor& x = g.inputs[0];
    const Tensor& y = g.inputs[1];
    if (g.need(0)) g.set(0, sum_to(g.out_grads[0] * sigmoid(x - y), x.shape()));
    if (g.need(1)) g.set(1, sum_to(g.out_grads[0] * sigmoid(y - x), y.shape()));
}

}  // namespace

OpDef op_logaddexp() {
    return elementwise<Logaddexp, Takes::floating>(
               {.name = "LogAddExp",
                .functional = "logaddexp",
                .methods = {"logaddexp"},
                .doc = "Logarithm of the sum of the exponentials of two elements, without overflow.",
                .operands = {{"input"}, {"other"}},
                .traits = {.commutative = true}},
               grad)
        .with_ascend("aclnnLogAddExp");
}

}  // namespace fusescope
