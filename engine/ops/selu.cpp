#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Selu {
    template <class V>
    static V eval(V x) {
        const V scale = V::of(1.05070098735548049342);
        const V curved = V::of(1.75809934084737685994) * expr::expm1(x);
        return expr::select(x > expr::zero<V>(), scale * x, curved);
    }
};

void grad(GradContext& g) {
    using namespace lang;
    const Tensor& x = g.inputs[0];
    const Tensor& dy = g.out_grads[0];
    const Tensor curved = dy * (g.outputs[0] + 1.75809934084737685994);
    g.set(0, select(greater(x, constant(x, 0)), dy * 1.05070098735548049342, curved));
}

}  // namespace

OpDef op_selu() {
    return elementwise<Selu, Takes::floating>({.name = "SeLU",
                                               .functional = "selu",
                                               .doc = "Scaled exponential linear unit.",
                                               .operands = {{"input"}}},
                                              grad)
        .with_ascend("aclnnSelu");
}

}  // namespace fusescope
