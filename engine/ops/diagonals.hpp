// Where the diagonals of a tensor lie.
#pragma once

#include <string_view>

#include "engine/ir/attribute.hpp"

namespace fusescope::ops {

struct Diagonals {
    Shape shape;             ///< of all diagonals: the other axes, then the length
    Ints strides;            ///< in elements of the tensor
    std::int64_t first = 0;  ///< the element they start at
};

/// Attributes 0 to 2 are the offset (above the main diagonal when positive) and the two axes that the diagonals run
/// over. Throws UserError when these are one.
Diagonals diagonals_of(std::string_view op, const Shape& shape, const Attrs& attrs);

}  // namespace fusescope::ops
