#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Neg {
    template <class V>
    static V eval(V x) {
        return -x;
    }
};

void grad(GradContext& g) { g.set(0, lang::neg(g.out_grads[0])); }

}  // namespace

OpDef op_neg() {
    return elementwise<Neg, Takes::number>({.name = "Neg",
                                            .functional = "neg",
                                            .aliases = {"negative"},
                                            .methods = {"neg"},
                                            .doc = "Each element with its sign changed.",
                                            .operands = {{"input"}}},
                                           grad)
        .with_ascend("aclnnNeg");
}

}  // namespace fusescope
