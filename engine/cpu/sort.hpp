// Sorting along an axis.
#pragma once

#include <cstdint>

#include "engine/ir/op_def.hpp"

namespace fusescope::cpu {

/// Stable order of the elements along `axis`; NaN counts as the largest. Writes the first `count` of each line: values
/// to `values` (dtype of src, may have null data) and places to `indices` (Int32 or Int64, may have null data). Both
/// have the shape of src with extent `count` along the axis.
void sort_along(const KernelTensor& src, std::size_t axis, bool descending, std::int64_t count,
                const KernelTensor& values, const KernelTensor& indices);

}  // namespace fusescope::cpu
