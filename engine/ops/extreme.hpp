// What the ops that look for the place of an extreme element share: attributes axis (0; None: flattened) and keep_dims
// (1).
#pragma once

#include "engine/ops/common.hpp"

namespace fusescope::ops {

/// The operand seen as (outer, extent, inner).
struct Lines {
    std::int64_t outer = 1, extent = 1, inner = 1;
};
Lines lines_of(std::string_view op, const Shape& shape, const Attrs& attrs);
/// Shape of the result. Throws UserError when the axis has no elements.
Shape extreme_shape(const InferContext& c);

}  // namespace fusescope::ops
