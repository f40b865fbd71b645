#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"
#include "fusescope/error.hpp"

namespace fusescope {
namespace {

struct Round {
    template <class V>
    static V eval(const Attrs& attrs, V x) {
        if constexpr (V::kFloating) {
            const std::int64_t decimals = attrs.integer(0);
            if (decimals == 0) return expr::rint(x);
            double scale = 1;
            for (std::int64_t k = std::abs(decimals); k > 0; --k) scale *= 10;
            const V s = V::of(scale);
            return decimals > 0 ? expr::rint(x * s) / s : expr::rint(x / s) * s;
        } else {
            return x;
        }
    }
};

void infer(InferContext& c) {
    const std::int64_t decimals = c.attrs.integer(0);
    if (decimals < -30 || decimals > 30) {
        throw UserError(ErrorKind::value, c.op.name(),
                        "Round: decimals is " + std::to_string(decimals) + ", but it must be from -30 to 30");
    }
    c.result(c.inputs[0].dtype, c.inputs[0].shape);
}

void grad(GradContext& g) {
    using namespace lang;
    const Tensor& dy = g.out_grads[0];
    g.set(0, zeros_like(dy));
}

}  // namespace

OpDef op_round() {
    OpDef def = elementwise<Round, Takes::number>(
                    {.name = "Round",
                     .functional = "round",
                     .methods = {"round"},
                     .doc = "The nearest number with the given count of decimals; halves go to the even one.",
                     .operands = {{"input"}},
                     .attributes = {{"decimals", AttrType::integer, std::int64_t{0}}}},
                    grad)
                    .with_ascend("aclnnRoundDecimals");
    def.infer = infer;
    return def;
}

}  // namespace fusescope
