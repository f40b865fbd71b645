// The trace of graph mode: ops outside of compiled functions wait in it until a value is looked at.
#pragma once

#include "engine/trace/trace.hpp"

namespace fusescope::trace {

/// Turns graph mode on or off; turning it off runs what waits.
void set_lazy_trace(Context& context, bool on);
/// Null when graph mode is off.
Trace* lazy_trace() noexcept;
/// Forgets what waits, at the end of a program.
void drop_lazy_trace() noexcept;

}  // namespace fusescope::trace
