// Python's slices as offsets and strides.
#pragma once

#include <string_view>

#include "engine/ir/attribute.hpp"

namespace fusescope::ops {

struct Slice {
    Shape shape;              ///< of what is cut out
    Ints strides;             ///< in elements of the sliced tensor
    std::int64_t offset = 0;  ///< of the first element
};

/// Attributes 0 to 2 are begin, end and strides, one number for each leading axis; further axes are taken whole.
/// Negative numbers count from the end and numbers outside are cut, as in Python: with a negative stride an end of
/// -(extent + 1) or less means "down to the first element". Throws UserError for a stride of 0 or too many axes.
Slice slice_of(std::string_view op, const Shape& shape, const Attrs& attrs);

}  // namespace fusescope::ops
