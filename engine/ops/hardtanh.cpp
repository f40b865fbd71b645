#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Hardtanh {
    template <class V>
    static V eval(const Attrs& attrs, V x) {
        return expr::minimum(expr::maximum(x, V::of(attrs.number(0))), V::of(attrs.number(1)));
    }
};

void grad(GradContext& g) {
    using namespace lang;
    const Tensor& x = g.inputs[0];
    const Tensor none = constant(x, 0);
    const Tensor below = select(less(x, constant(x, g.attrs.number(1))), g.out_grads[0], none);
    g.set(0, select(greater(x, constant(x, g.attrs.number(0))), below, none));
}

}  // namespace

OpDef op_hardtanh() {
    return elementwise<Hardtanh, Takes::floating>(
               {.name = "HardTanh",
                .functional = "hardtanh",
                .doc = "Each element held between min_val and max_val.",
                .operands = {{"input"}},
                .attributes = {{"min_val", AttrType::number, -1.0}, {"max_val", AttrType::number, 1.0}}},
               grad)
        .with_ascend("aclnnHardtanh");
}

}  // namespace fusescope
