#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct LeakyRelu {
    template <class V>
    static V eval(const Attrs& attrs, V x) {
        return expr::select(x > expr::zero<V>(), x, x * V::of(attrs.number(0)));
    }
};

void grad(GradContext& g) {
    using namespace lang;
    const Tensor& x = g.inputs[0];
    const Tensor& dy = g.out_grads[0];
    g.set(0, select(greater(x, constant(x, 0)), dy, dy * g.attrs.number(0)));
}

}  // namespace

OpDef op_leaky_relu() {
    return elementwise<LeakyRelu, Takes::floating>({.name = "LeakyReLU",
                                                    .functional = "leaky_relu",
                                                    .doc = "Positive elements as they are, negative ones times alpha.",
                                                    .operands = {{"input"}},
                                                    .attributes = {{"alpha", AttrType::number, 0.2}}},
                                                   grad)
        .with_ascend("aclnnLeakyRelu");
}

}  // namespace fusescope
