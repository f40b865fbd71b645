#include "engine/ops/elementwise.hpp"

namespace fusescope {
namespace {

struct Isposinf {
    template <class V>
    static typename V::Mask eval(V x) {
        return x == V::of(std::numeric_limits<double>::infinity());
    }
};

}  // namespace

OpDef op_isposinf() {
    return elementwise<Isposinf, Takes::floating>({.name = "IsPosInf",
                                                   .functional = "isposinf",
                                                   .methods = {"isposinf"},
                                                   .doc = "True where an element is positive infinity.",
                                                   .operands = {{"input"}}},
                                                  kNoGradient)
        .with_ascend("aclnnIsPosInf");
}

}  // namespace fusescope
