// The trace of graph mode: ops outside of compiled functions wait in it until a value is looked at.
#pragma once

#include "engine/trace/trace.hpp"

namespace fusescope::trace {

/// Turns graph mode on or off; turning it off runs what waits. The context owns the trace.
void set_lazy_trace(Context& context, bool on);
/// Null when graph mode is off.
Trace* lazy_trace(const Context& context) noexcept;

}  // namespace fusescope::trace
