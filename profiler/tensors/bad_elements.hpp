// Where NaN and Inf are.
#pragma once

#include "profiler/tensors/array.hpp"

namespace fusescope::tensors {

enum class BadKind : std::uint8_t { nan, positive_inf, negative_inf };

struct BadElement {
    std::int64_t flat = 0;
    BadKind kind = BadKind::nan;
    friend bool operator==(const BadElement&, const BadElement&) = default;
};

/// In order, at most `limit`.
std::vector<BadElement> bad_elements(const Array& array, std::size_t limit, const Stale& stale = {});

/// The next NaN or Inf behind `flat` (before it when not `forward`), from the other end when there is none; -1 when
/// there is none at all. -1 as `flat` begins at the first.
std::int64_t next_bad(const Array& array, std::int64_t flat, bool forward, const Stale& stale = {});

}  // namespace fusescope::tensors
