// Counts, extremes, mean and deviation of an array.
#pragma once

#include "profiler/tensors/array.hpp"

namespace fusescope::tensors {

struct Statistics {
    std::int64_t count = 0, nan = 0, positive_inf = 0, negative_inf = 0, zero = 0, negative = 0;
    std::int64_t subnormal = 0;             ///< floats nearer to zero than the smallest normal number
    std::int64_t first_bad = -1;            ///< flat number of the first NaN or Inf
    std::int64_t min_at = -1, max_at = -1;  ///< flat number of the first of each
    /// Over finite elements; empty when there is none. The deviation divides by the count.
    std::optional<double> min, max, mean, std;

    std::int64_t bad() const { return nan + positive_inf + negative_inf; }
};

Statistics statistics(const Array& array, const Stale& stale = {});

/// Smallest normal number of a float type.
double smallest_normal(DType dtype);

}  // namespace fusescope::tensors
