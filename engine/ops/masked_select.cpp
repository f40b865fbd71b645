#include "engine/ops/common.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

void infer(InferContext& c) {
    broadcast_or_throw(c.op.name(), c.inputs[0].shape, c.inputs[1].shape);
    c.result(c.inputs[0].dtype, Shape{0});
}

// Places of the chosen elements in the broadcast shape, and the operand in that shape.
struct Chosen {
    Tensor wide, places;
};

Chosen choose(const Tensor& x, const Tensor& mask) {
    const Shape shape = broadcast_or_throw("MaskedSelect", x.shape(), mask.shape());
    return {lang::broadcast_to(x, shape), lang::nonzero(lang::broadcast_to(mask, shape))};
}

std::vector<Tensor> run(std::span<const Tensor> in, const Attrs&) {
    const Chosen c = choose(in[0], in[1]);
    if (c.wide.rank() == 0) {
        // A scalar has no axes that an index could name.
        return {lang::strided_slice(lang::reshape(c.wide, Shape{1}), {0}, {c.places.shape()[0]}, {1})};
    }
    return {lang::gather_nd(c.wide, c.places)};
}

void grad(GradContext& g) {
    const Chosen c = choose(g.inputs[0], g.inputs[1]);
    if (c.wide.rank() == 0) {
        g.set(0, lang::reshape(lang::sum(g.out_grads[0], {0}, false), {}));
        return;
    }
    const Tensor spread = lang::scatter_nd_add(lang::zeros_like(c.wide), c.places, g.out_grads[0]);
    g.set(0, lang::sum_to(spread, g.inputs[0].shape()));
}

}  // namespace

OpDef op_masked_select() {
    return OpDef({.name = "MaskedSelect",
                  .functional = "masked_select",
                  .methods = {"masked_select"},
                  .doc = "The elements for which the mask is true, in a vector.",
                  .operands = {{"input"}, {"mask", Accept::boolean}},
                  .traits = {.host_value = true}},
                 infer, ops::input_flops, grad)
        .with_decompose(run)
        .with_ascend("aclnnMaskedSelect");
}

}  // namespace fusescope
