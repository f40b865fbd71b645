// What the losses share: the choice of reduction.
#pragma once

#include "engine/ops/lang.hpp"

namespace fusescope::loss {

/// The attribute "reduction": mean, sum or none.
AttrSpec reduction_attribute();
/// Applies it; throws UserError (value) for another word.
Tensor reduced(std::string_view op, const Tensor& t, const std::string& reduction);
/// Shape after it.
Shape reduced_shape(std::string_view op, const Shape& s, const std::string& reduction);
void cost(std::span<const TensorType> in, std::span<const TensorType> out, const Attrs&, Cost& c);

}  // namespace fusescope::loss
