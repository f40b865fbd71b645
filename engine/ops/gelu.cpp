#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"
#include "fusescope/error.hpp"

namespace fusescope {
namespace {

struct Gelu {
    template <class V>
    static V eval(const Attrs& attrs, V x) {
        // Below the bound the factor is zero, and the bound keeps -Inf from meeting it.
        const V bounded = expr::maximum(x, V::of(-40.0));
        const V half = V::of(0.5) * bounded;
        if (attrs.string(0)[0] == 't') {
            const V inner = V::of(0.79788456080286535588) * (x + V::of(0.044715) * (x * x * x));
            return half * (expr::one<V>() + expr::tanh(inner));
        }
        return half * (expr::one<V>() + expr::erf(x * V::of(0.70710678118654752440)));
    }
};

void infer(InferContext& c) {
    const std::string& form = c.attrs.string(0);
    if (form != "none" && form != "tanh") {
        throw UserError(ErrorKind::value, c.op.name(),
                        "GeLU: approximate is \"" + form + "\", but it must be \"none\" or \"tanh\"");
    }
    c.result(c.inputs[0].dtype, c.inputs[0].shape);
}

void grad(GradContext& g) {
    using namespace lang;
    const Tensor& x = g.inputs[0];
    const Tensor& dy = g.out_grads[0];
    if (g.attrs.string(0) == "tanh") {
        const Tensor square = x * x;
        const Tensor t = tanh(x * (square * 0.044715 + 1.0) * 0.79788456080286535588);
        const Tensor slope = (square * 0.134145 + 1.0) * 0.79788456080286535588;
        g.set(0, dy * ((t + 1.0) * 0.5 + x * (1.0 - t * t) * slope * 0.5));
        return;
    }
    const Tensor below = (erf(x * 0.70710678118654752440) + 1.0) * 0.5;
    const Tensor density = exp(x * x * -0.5) * 0.39894228040143267794;
    g.set(0, dy * (below + x * density));
}

}  // namespace

OpDef op_gelu() {
    OpDef def =
        elementwise<Gelu, Takes::floating>(
            {.name = "GeLU",
             .functional = "gelu",
             .methods = {"gelu"},
             .doc = "Gaussian error linear unit: each element times the probability that a normal value is below it.",
             .operands = {{"input"}},
             .attributes = {{"approximate", AttrType::string, std::string("none")}}},
            grad)
            .with_ascend("aclnnGelu", true);
    def.infer = infer;
    return def;
}

}  // namespace fusescope
