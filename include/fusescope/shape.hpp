// Extents of a tensor, stored inline up to rank 6 so that making one allocates nothing.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>

#include "fusescope/small_vector.hpp"

namespace fusescope {

/// Row-major extents; rank 0 is a scalar. Extents are never negative.
class Shape : public SmallVector<std::int64_t, 6> {
 public:
    using SmallVector::SmallVector;

    int rank() const noexcept { return static_cast<int>(size()); }

    /// Number of elements; 1 for rank 0.
    std::int64_t count() const noexcept {
        std::int64_t n = 1;
        for (std::int64_t extent : *this) n *= extent;
        return n;
    }
};

/// "(2, 3)", "(4,)" for rank one, "()" for a scalar: Python's spelling, as MindSpore's messages have it.
inline std::string to_string(const Shape& shape) {
    std::string text = "(";
    for (int axis = 0; axis < shape.rank(); ++axis) {
        if (axis > 0) text += ", ";
        text += std::to_string(shape[static_cast<std::size_t>(axis)]);
    }
    return text += shape.rank() == 1 ? ",)" : ")";
}

}  // namespace fusescope
