#include "engine/ops/optimizer.hpp"

namespace fusescope {
namespace {

// m' = β1·m + (1−β1)·g; v' = β2·v + (1−β2)·g²; p' = p − lr·(m'/(√v' + ε) + decay·p): decay apart from the gradient, no
// correction for the moments' start at zero.
std::vector<Tensor> decompose(std::span<const Tensor> in, const Attrs&) {
    using namespace lang;
    const Tensor &p = in[0], &m = in[1], &v = in[2], &lr = in[3], &beta1 = in[4], &beta2 = in[5], &eps = in[6];
    const Tensor &decay = in[7], &g = in[8];
    const Tensor m1 = m * beta1 + g * (1.0 - beta1);
    const Tensor v1 = v * beta2 + g * g * (1.0 - beta2);
    return {p - lr * (m1 / (sqrt(v1) + eps) + decay * p), m1, v1};
}

}  // namespace

OpDef op_adam_weight_decay() {
    return OpDef({.name = "AdamWeightDecay",
                  .functional = "adam_weight_decay",
                  .doc = "One step of Adam with decoupled weight decay; writes the variable and both moments.",
                  .operands = {{"var", Accept::floating},
                               {"m", Accept::floating},
                               {"v", Accept::floating},
                               {"lr", Accept::floating},
                               {"beta1", Accept::floating},
                               {"beta2", Accept::floating},
                               {"epsilon", Accept::floating},
                               {"decay", Accept::floating},
                               {"gradient", Accept::floating}},
                  .outputs = 3,
                  .promotes = true,
                  .traits = {.writes = 3}},
                 optimizer::infer<3, 8>, optimizer::cost<14>, kNoGradient)
        .with_decompose(decompose)
        .with_ascend("aclnnApplyAdamW");
}

}  // namespace fusescope
