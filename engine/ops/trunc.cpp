#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Trunc {
    template <class V>
    static V eval(V x) {
        if constexpr (V::kFloating) {
            return expr::trunc(x);
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

OpDef op_trunc() {
    return elementwise<Trunc, Takes::number>({.name = "Trunc",
                                              .functional = "trunc",
                                              .aliases = {"fix"},
                                              .methods = {"trunc"},
                                              .doc = "Each element without its fraction.",
                                              .operands = {{"input"}}},
                                             grad)
        .with_ascend("aclnnTrunc");
}

}  // namespace fusescope
