// Ranges of whole numbers: what an op's results may be, from what its operands may be.
#pragma once

#include <optional>
#include <span>

#include "engine/ir/op_def.hpp"

namespace fusescope::debug {

/// Wide enough that no single op on 64-bit numbers leaves it.
using Wide = __int128;

/// Both ends belong to it.
struct Range {
    Wide low = 0, high = 0;
};

bool whole(DType d) noexcept;
/// All that a dtype can hold; Bool is 0 and 1.
Range range_of(DType d) noexcept;
/// Of the elements of a whole-number tensor; empty for one without elements.
std::optional<Range> range_of(const Tensor& t);
inline bool inside(const Range& r, const Range& of) noexcept { return r.low >= of.low && r.high <= of.high; }

/// The range of exact results, which may lie beyond the result's dtype; empty for ops that do not compute with ints.
/// `elements`: of the first operand for each element of the result.
std::optional<Range> exact_range(const OpDef& op, std::span<const Range> operands, const TensorType& result,
                                 std::int64_t elements);

}  // namespace fusescope::debug
