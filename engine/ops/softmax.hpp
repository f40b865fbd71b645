// Softmax and its logarithm: one kernel over the last axis, other axes by way of a transposition.
#pragma once

#include "engine/ops/lang.hpp"

namespace fusescope::softmax {

void infer(InferContext& c);
void kernel(const KernelArgs& args, bool logarithm);
void cost(std::span<const TensorType> in, std::span<const TensorType> out, const Attrs& attrs, Cost& c);
std::vector<AttrSpec> attributes();

}  // namespace fusescope::softmax
