// Shape algebra that several layers share.
#pragma once

#include <optional>
#include <string_view>

#include "fusescope/shape.hpp"

namespace fusescope {

/// Numpy's broadcasting of two shapes; empty when they clash.
std::optional<Shape> broadcast(const Shape& a, const Shape& b);

/// As above for op `op`; throws UserError (shape) with both shapes aligned axis by axis, the clash marked, and what
/// would fit.
Shape broadcast_or_throw(std::string_view op, const Shape& a, const Shape& b);

/// Turns a possibly negative axis into 0 … rank-1; throws UserError (index) naming `op`.
int normalize_axis(std::string_view op, std::int64_t axis, int rank);

/// Row-major strides in elements.
Shape strides_of(const Shape& shape);

}  // namespace fusescope
