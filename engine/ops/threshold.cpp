#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Threshold {
    template <class V>
    static V eval(const Attrs& attrs, V x) {
        return expr::select(x > V::of(attrs.number(0)), x, V::of(attrs.number(1)));
    }
};

void grad(GradContext& g) {
    using namespace lang;
    const Tensor& x = g.inputs[0];
    g.set(0, select(greater(x, constant(x, g.attrs.number(0))), g.out_grads[0], constant(x, 0)));
}

}  // namespace

OpDef op_threshold() {
    return elementwise<Threshold, Takes::number>(
               {.name = "Threshold",
                .functional = "threshold",
                .doc = "Elements above `thr` as they are, `value` for all others.",
                .operands = {{"input"}},
                .attributes = {{"thr", AttrType::number, {}, true}, {"value", AttrType::number, {}, true}}},
               grad)
        .with_ascend("aclnnThreshold");
}

}  // namespace fusescope
