#include "engine/ops/lang.hpp"
#include "fusescope/error.hpp"

namespace fusescope {
namespace {

void infer(InferContext& c) {
    const Shape& x = c.inputs[0].shape;
    const Shape& b = c.inputs[1].shape;
    if (x.rank() < 2 || b.rank() != 1 || b[0] != x[1]) {
        const std::string advice = x.rank() > 2 && b.rank() == 1 && b[0] == x.back()
                                       ? "the channels seem to be last; move them to axis 1, for example with transpose"
                                       : "the bias needs one element for each channel (axis 1)";
        throw UserError(ErrorKind::shape, c.op.name(),
                        "BiasAdd: a bias of shape " + to_string(b) + " does not fit " + to_string(x) +
                            (x.rank() > 1 ? ", which has " + std::to_string(x[1]) + " channels on axis 1" : "") + "; " +
                            advice,
                        {to_string(x), to_string(b)}, advice);
    }
    c.result(c.inputs[0].dtype, x);
}

void cost(std::span<const TensorType>, std::span<const TensorType> out, const Attrs&, Cost& c) {
    c.flops = static_cast<std::uint64_t>(out[0].shape.count());
}

std::vector<Tensor> decompose(std::span<const Tensor> in, const Attrs&) {
    Shape s(static_cast<std::size_t>(in[0].rank()), 1);
    s[1] = in[1].shape()[0];
    return {lang::add(in[0], in[0].rank() == 2 ? in[1] : lang::reshape(in[1], s))};
}

}  // namespace

OpDef op_bias_add() {
    return OpDef({.name = "BiasAdd",
                  .functional = "bias_add",
                  .doc = "Adds one number for each channel (axis 1).",
                  .operands = {{"input_x", Accept::number}, {"bias", Accept::number}},
                  .promotes = true},
                 infer, cost, kNoGradient)
        .with_decompose(decompose)
        .with_ascend("aclnnAdd");
}

}  // namespace fusescope
