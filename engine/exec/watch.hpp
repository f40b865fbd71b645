// Looking at op outputs for NaN and Inf, and telling the birth of one from its passing on.
#pragma once

#include "engine/exec/dispatch.hpp"

namespace fusescope::exec {

/// Computes health (and statistics, by watch level) of each float output, publishes it, and publishes a finding where a
/// NaN or Inf is born: an output has one and no input had.
void watch_outputs(Context& context, const Execution& execution, const OpEvent& event, std::span<const Tensor> inputs,
                   std::span<Tensor> outputs);

}  // namespace fusescope::exec
