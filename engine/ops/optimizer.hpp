// What the optimizers' update ops share. Their first `Writes` operands are the Parameter and its state; the gradient is
// operand `Gradient`; all others are single numbers.
#pragma once

#include "engine/ops/lang.hpp"

namespace fusescope::optimizer {

void check(InferContext& c, std::size_t writes, std::size_t gradient);

template <std::size_t Writes, std::size_t Gradient>
void infer(InferContext& c) {
    check(c, Writes, Gradient);
}

template <int FlopsPerElement>
void cost(std::span<const TensorType> in, std::span<const TensorType>, const Attrs&, Cost& c) {
    c.flops = static_cast<std::uint64_t>(FlopsPerElement * in[0].shape.count());
}

}  // namespace fusescope::optimizer
