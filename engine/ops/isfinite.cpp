#include "engine/ops/elementwise.hpp"

namespace fusescope {
namespace {

struct Isfinite {
    template <class V>
    static typename V::Mask eval(V x) {
        return expr::abs(x) < V::of(std::numeric_limits<double>::infinity());
    }
};

}  // namespace

OpDef op_isfinite() {
    return elementwise<Isfinite, Takes::floating>({.name = "IsFinite",
                                                   .functional = "isfinite",
                                                   .methods = {"isfinite"},
                                                   .doc = "True where an element is neither infinite nor NaN.",
                                                   .operands = {{"input"}}},
                                                  kNoGradient)
        .with_ascend("aclnnIsFinite");
}

}  // namespace fusescope
