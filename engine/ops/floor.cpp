#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Floor {
    template <class V>
    static V eval(V x) {
        if constexpr (V::kFloating) {
            return expr::floor(x);
        } else {
            return x;
        }
    }
};

void grad(GradContext& g) {
    using namespace lang;
    const Tensor& dy = g.out_grads[0];
    g.set(0, zeros_like(dy));
}

}  // namespace

OpDef op_floor() {
    return elementwise<Floor, Takes::number>({.name = "Floor",
                                              .functional = "floor",
                                              .methods = {"floor"},
                                              .doc = "The largest whole number that is not above each element.",
                                              .operands = {{"input"}}},
                                             grad)
        .with_ascend("aclnnFloor");
}

}  // namespace fusescope
