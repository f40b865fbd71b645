// Values of op attributes.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "fusescope/dtype.hpp"
#include "fusescope/shape.hpp"

namespace fusescope {

using Ints = Shape;  ///< a list of ints; axes, extents, strides

/// One attribute's value; monostate is None.
using AttrValue = std::variant<std::monostate, bool, std::int64_t, double, std::string, DType, Ints>;

}  // namespace fusescope
