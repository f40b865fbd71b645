#include "engine/ops/optimizer.hpp"

namespace fusescope {
namespace {

// accumulation, variable: v' = v·momentum + g; p' = p − lr·v', or p − (g·lr + v'·momentum·lr) with Nesterov's look
// ahead.
std::vector<Tensor> decompose(std::span<const Tensor> in, const Attrs& attrs) {
    using namespace lang;
    const Tensor &p = in[0], &v = in[1], &lr = in[2], &g = in[3], &momentum = in[4];
    const Tensor next = v * momentum + g;
    const Tensor step = attrs.boolean(0) ? g * lr + next * momentum * lr : next * lr;
    return {p - step, next};
}

}  // namespace

OpDef op_apply_momentum() {
    return OpDef({.name = "ApplyMomentum",
                  .functional = "apply_momentum",
                  .doc = "One step of gradient descent with momentum; writes the variable and its accumulation.",
                  .operands = {{"variable", Accept::floating},
                               {"accumulation", Accept::floating},
                               {"learning_rate", Accept::floating},
                               {"gradient", Accept::floating},
                               {"momentum", Accept::floating}},
                  .attributes = {{"use_nesterov", AttrType::boolean, false}},
                  .outputs = 2,
                  .promotes = true,
                  .traits = {.writes = 2}},
                 optimizer::infer<2, 3>, optimizer::cost<3>, kNoGradient)
        .with_decompose(decompose)
        .with_ascend("aclnnApplyMomentum");
}

}  // namespace fusescope
