#include "engine/ops/elementwise.hpp"

namespace fusescope {
namespace {

struct Isnan {
    template <class V>
    static typename V::Mask eval(V x) {
        return expr::is_nan(x);
    }
};

}  // namespace

OpDef op_isnan() {
    return elementwise<Isnan, Takes::floating>({.name = "IsNan",
                                                .functional = "isnan",
                                                .methods = {"isnan"},
                                                .doc = "True where an element is not a number.",
                                                .operands = {{"input"}}},
                                               kNoGradient)
        .with_ascend("aclnnIsNan");
}

}  // namespace fusescope
