#include "engine/ops/elementwise.hpp"

namespace fusescope {
namespace {

struct Isneginf {
    template <class V>
    static typename V::Mask eval(V x) {
        return x == V::of(-std::numeric_limits<double>::infinity());
    }
};

}  // namespace

OpDef op_isneginf() {
    return elementwise<Isneginf, Takes::floating>({.name = "IsNegInf",
                                                   .functional = "isneginf",
                                                   .methods = {"isneginf"},
                                                   .doc = "True where an element is negative infinity.",
                                                   .operands = {{"input"}}},
                                                  kNoGradient)
        .with_ascend("aclnnIsNegInf");
}

}  // namespace fusescope
