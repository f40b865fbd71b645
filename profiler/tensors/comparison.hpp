// By how much two tensors of the same shape differ.
#pragma once

#include "profiler/tensors/grid.hpp"
#include "profiler/tensors/histogram.hpp"

namespace fusescope::tensors {

/// b - a, |b - a|, |b - a| / max(|a|, |b|), numbers of the type between a and b.
enum class Measure { signed_error, absolute, relative, ulp };

struct Comparison {
    std::int64_t count = 0;
    std::int64_t equal = 0;         ///< as numbers; NaN equals NaN, and Inf the same Inf
    std::int64_t bad_in_one = 0;    ///< NaN or Inf in one, and not the same in the other
    std::int64_t finite_pairs = 0;  ///< what the numbers below are about
    double max_absolute = 0, mean_absolute = 0, root_mean_square = 0;
    double max_relative = 0, mean_relative = 0;
    std::optional<DType> ulp_type;  ///< empty when both hold ints
    std::uint64_t max_ulp = 0;
    double mean_ulp = 0;
    /// How many pairs are 0, 1, 2–3, 4–7, … ULPs apart; the last that is not zero is the last.
    std::vector<std::int64_t> ulps;
    std::int64_t first_difference = -1;                                        ///< flat number, -1 when there is none
    std::int64_t max_absolute_at = -1, max_relative_at = -1, max_ulp_at = -1;  ///< first of each; -1: none differs
    Histogram errors;                                                          ///< of b - a
};

/// Shapes must be equal.
Comparison compare(const Array& a, const Array& b, int bins, const Stale& stale = {});

/// The difference of each element of a slice by a measure; NaN and Inf where only one is. ULPs are 0 for ints.
Grid difference_grid(const Array& a, const Array& b, const Slice& slice, Measure measure, int most,
                     const Stale& stale = {});

}  // namespace fusescope::tensors
