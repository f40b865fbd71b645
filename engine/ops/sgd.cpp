#include "engine/ops/optimizer.hpp"

namespace fusescope {
namespace {

// g' = g + decay·p; v' = momentum·v + (1 − dampening)·g', or g' at the first step (stat > 0);
// p' = p − lr·v', or p − lr·(g' + momentum·v') with Nesterov.
std::vector<Tensor> decompose(std::span<const Tensor> in, const Attrs& attrs) {
    using namespace lang;
    const Tensor &p = in[0], &accumulation = in[1], &stat = in[2], &lr = in[3], &momentum = in[5];
    Tensor g = in[4];
    const double dampening = attrs.number(0), decay = attrs.number(1);
    if (decay != 0) g = g + p * decay;
    const Tensor later = accumulation * momentum + g * (1.0 - dampening);
    const Tensor v = select(greater(stat, constant(stat, 0)), g, later);
    const Tensor step = attrs.boolean(2) ? g + v * momentum : v;
    return {p - step * lr, v, stat * 0.0};
}

}  // namespace

OpDef op_sgd() {
    return OpDef({.name = "SGD",
                  .functional = "sgd",
                  .doc = "One step of stochastic gradient descent; `stat` is positive before the first step.",
                  .operands = {{"parameters", Accept::floating},
                               {"accum", Accept::floating},
                               {"stat", Accept::floating},
                               {"learning_rate", Accept::floating},
                               {"gradient", Accept::floating},
                               {"momentum", Accept::floating}},
                  .attributes = {{"dampening", AttrType::number, 0.0},
                                 {"weight_decay", AttrType::number, 0.0},
                                 {"nesterov", AttrType::boolean, false}},
                  .outputs = 3,
                  .promotes = true,
                  .traits = {.writes = 3}},
                 optimizer::infer<3, 4>, optimizer::cost<5>, kNoGradient)
        .with_decompose(decompose);
}

}  // namespace fusescope
