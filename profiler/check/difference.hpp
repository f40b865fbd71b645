// By how much two values differ, and whether that is more than one puts up with.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "profiler/check/log.hpp"

namespace fusescope::check {

/// Two numbers a and b are close when |a - b| <= absolute + relative * max(|a|, |b|). Without wishes of the user it
/// depends on the dtype; ints and Bool are close only when equal. NaN is close to NaN, Inf to the same Inf.
struct Tolerance {
    std::optional<double> relative, absolute;

    double relative_for(DType dtype) const;
    double absolute_for(DType dtype) const;
};

struct Difference {
    std::string what;             ///< in place of numbers: "dtype", "shape", "not kept"
    std::int64_t count = 0;       ///< elements
    std::int64_t different = 0;   ///< that are not equal as numbers; NaN equals NaN
    std::int64_t zero_signs = 0;  ///< elements that are 0 in one and -0 in the other
    std::int64_t beyond = 0;      ///< the tolerance
    double largest_absolute = 0;  ///< infinite where one is NaN or Inf and the other is not
    double largest_relative = 0;  ///< to the greater of the two
    std::optional<std::uint64_t>
        largest_ulp;                  ///< numbers of the dtype from one to the other; of floats that are no NaN
    std::vector<std::int64_t> index;  ///< of the largest absolute difference
    std::string first, second;        ///< the values there, exactly

    bool within() const { return what.empty() && beyond == 0; }
    /// NaNs have bits that mean nothing; otherwise these are the same values.
    bool none() const { return what.empty() && different == 0 && zero_signs == 0; }
};

/// Both values must have their bytes, or `what` says what is missing.
Difference difference(const Value& first, const Value& second, const Tolerance& tolerance);

}  // namespace fusescope::check
