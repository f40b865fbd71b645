#include "engine/ops/optimizer.hpp"

namespace fusescope {
namespace {

// m' = β1·m + (1−β1)·g; v' = β2·v + (1−β2)·g²; p' = p − lr·√(1−β2ᵗ)/(1−β1ᵗ) · m'/(√v' + ε). The powers βᵗ are operands.
std::vector<Tensor> decompose(std::span<const Tensor> in, const Attrs& attrs) {
    using namespace lang;
    const Tensor &p = in[0], &m = in[1], &v = in[2], &power1 = in[3], &power2 = in[4], &lr = in[5];
    const Tensor &beta1 = in[6], &beta2 = in[7], &eps = in[8], &g = in[9];
    const Tensor rate = lr * sqrt(1.0 - power2) / (1.0 - power1);
    const Tensor m1 = m * beta1 + g * (1.0 - beta1);
    const Tensor v1 = v * beta2 + g * g * (1.0 - beta2);
    const Tensor ahead = attrs.boolean(0) ? m1 * beta1 + g * (1.0 - beta1) : m1;
    return {p - rate * ahead / (sqrt(v1) + eps), m1, v1};
}

}  // namespace

OpDef op_adam() {
    return OpDef({.name = "Adam",
                  .functional = "adam",
                  .doc = "One step of Adam; writes the variable and both moments.",
                  .operands = {{"var", Accept::floating},
                               {"m", Accept::floating},
                               {"v", Accept::floating},
                               {"beta1_power", Accept::floating},
                               {"beta2_power", Accept::floating},
                               {"lr", Accept::floating},
                               {"beta1", Accept::floating},
                               {"beta2", Accept::floating},
                               {"epsilon", Accept::floating},
                               {"gradient", Accept::floating}},
                  .attributes = {{"use_nesterov", AttrType::boolean, false}},
                  .outputs = 3,
                  .promotes = true,
                  .traits = {.writes = 3}},
                 optimizer::infer<3, 9>, optimizer::cost<14>, kNoGradient)
        .with_decompose(decompose)
        .with_ascend("aclnnApplyAdam");
}

}  // namespace fusescope
