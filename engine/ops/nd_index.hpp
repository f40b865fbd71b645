// Indices whose last axis names a place in the leading axes of a tensor (GatherNd and its relatives).
#pragma once

#include <vector>

#include "engine/ops/common.hpp"

namespace fusescope::ops {

/// How many leading axes the indices name. Throws UserError (shape).
std::size_t nd_depth(std::string_view op, const Shape& shape, const Shape& indices);
/// Shape of what the indices pick: theirs without the last axis, then the tensor's other axes.
Shape nd_shape(std::string_view op, const Shape& shape, const Shape& indices);
/// For each index the number of the slice it names. Throws UserError (index).
std::vector<std::int64_t> nd_slices(std::string_view op, const Shape& shape, const KernelTensor& indices);
/// Elements of one slice.
std::int64_t nd_slice_size(const Shape& shape, std::size_t depth);

/// Inference of the scatters: operands tensor, indices, updates.
void infer_nd_scatter(InferContext& c);

}  // namespace fusescope::ops
