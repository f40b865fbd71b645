// What variance and standard deviation share: attributes axis (0), ddof (1) and keep_dims (2), and the way to the sum
// of squares.
#pragma once

#include "engine/ir/op_def.hpp"

namespace fusescope::spread {

std::vector<AttrSpec> attributes();
void infer(InferContext& c);
void cost(std::span<const TensorType> in, std::span<const TensorType>, const Attrs&, Cost& c);

/// Elements that go into one result, less ddof; may be 0 or negative.
double freedom(const Shape& shape, const Attrs& attrs);
/// The operand less its mean over the axes.
Tensor centred(const Tensor& x, const Attrs& attrs);
/// The reduced mean of the squares of that, with `freedom` as divisor.
Tensor variance(const Tensor& x, const Attrs& attrs);

}  // namespace fusescope::spread
