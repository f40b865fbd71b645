#include "engine/ops/elementwise.hpp"

namespace fusescope {
namespace {

struct Isinf {
    template <class V>
    static typename V::Mask eval(V x) {
        return expr::abs(x) == V::of(std::numeric_limits<double>::infinity());
    }
};

}  // namespace

OpDef op_isinf() {
    return elementwise<Isinf, Takes::floating>({.name = "IsInf",
                                                .functional = "isinf",
                                                .methods = {"isinf"},
                                                .doc = "True where an element is infinite.",
                                                .operands = {{"input"}}},
                                               kNoGradient)
        .with_ascend("aclnnIsInf");
}

}  // namespace fusescope
