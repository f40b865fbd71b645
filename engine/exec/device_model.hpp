// Times of the modelled Ascend device. The numbers are computed on the CPU; when they would have been ready on the
// device comes from a cost model, on a clock of its own.
#pragma once

#include "engine/exec/dispatch.hpp"

namespace fusescope::exec {

/// Fills start, duration, stream and clock of an op that ran on the modelled device.
void model_times(const Execution& execution, bool half_precision, OpEvent& event);

}  // namespace fusescope::exec
