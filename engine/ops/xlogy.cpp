#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Xlogy {
    template <class V>
    static V eval(V x, V y) {
        const V zero = expr::zero<V>();
        return expr::select((x == zero) & (y == y), zero, x * expr::log(y));
    }
};

void grad(GradContext& g) {
    using namespace lang;
    const Tensor& x = g.inputs[0];
    const Tensor& y = g.inputs[1];
    const Tensor& dy = g.out_grads[0];
    if (g.need(0)) {
        // Where both are zero the product has no slope to tell of.
        const Tensor logs =
            select(greater(y, constant(y, 0)), log(y), select(equal(x, constant(x, 0)), constant(y, 0), log(y)));
        g.set(0, sum_to(dy * logs, x.shape()));
    }
    if (g.need(1)) g.set(1, sum_to(dy * (x / y), y.shape()));
}

}  // namespace

OpDef op_xlogy() {
    return elementwise<Xlogy, Takes::floating>({.name = "Xlogy",
                                                .functional = "xlogy",
                                                .methods = {"xlogy"},
                                                .doc = "x * log(y), which is 0 where x is 0.",
                                                .operands = {{"input"}, {"other"}}},
                                               grad)
        .with_ascend("aclnnXLogYTensor")
        .with_hazard("log_of_negative", true, false)
        .with_hazard("log_of_zero", false, true);
}

}  // namespace fusescope
