// Reductions over any set of axes of contiguous tensors; knows shapes, no ops.
//
// The order of summation is fixed, the same for every number of threads, and the one that generated kernels use:
//
// A row (the reduced axes that are contiguous at the end) has 32 partial results p[0 … 31] that start at the identity
// (0, 1, -Inf, +Inf). Element i of the row's first floor(n / 32) * 32 elements goes to p[i % 32], in order; the r = n %
// 32 that are left go to p[0 … r-1]. Seen as 4 vectors of 8 lanes, the vectors are combined (v0 v1)(v2 v3), then lanes
// l and l+4, then l and l+2, then l and l+1. Rows longer than kRowBlock are cut in blocks of that length, whose results
// are combined one after the other from the first on. If further reduced axes lie outside, the rows' results are
// combined likewise, in row-major order.
//
// When the last axis is kept, columns are reduced side by side, each in row-major order of the reduced axes, in blocks
// of kColumnBlock rows whose results are combined one after the other.
//
// Combining means `a op b` with the accumulated value as `a`; maximum and minimum are those of engine/expr/common.hpp,
// which let NaN through. Float16 and BFloat16 accumulate in Float32, ints and Bool in Int64 for sum and product. A mean
// is the sum divided by the count, in the type of accumulation.
#pragma once

#include <cstdint>

#include "engine/ir/op_def.hpp"

namespace fusescope::cpu {

inline constexpr std::int64_t kRowBlock = 4096;
inline constexpr std::int64_t kColumnBlock = 1024;

enum class Fold : std::uint8_t { sum, mean, prod, max, min };

/// Reduces the axes of `src` marked in `reduced` (one flag an axis). `dst` holds one element for each index of the
/// other axes. Its dtype is Int64 for sums and products of ints and Bool, else that of `src`.
void reduce(const KernelTensor& src, const KernelTensor& dst, const SmallVector<bool, 8>& reduced, Fold fold);

}  // namespace fusescope::cpu
