// Counting NaN and Inf in a buffer, and its statistics.
#pragma once

#include <cstdint>

#include "fusescope/dtype.hpp"
#include "fusescope/event.hpp"

namespace fusescope::cpu {

/// True when some element is NaN or Inf. At memory speed for clean data; false for ints and Bool.
bool any_bad(DType dtype, const void* data, std::int64_t count) noexcept;

/// Fills count, nan, inf, first_bad_index of `health`; with `stats` also zero, min, max, mean, std.
void scan(DType dtype, const void* data, std::int64_t count, bool stats, TensorHealth& health) noexcept;

}  // namespace fusescope::cpu
