// Event kinds of kernels that are no row of the op table: each name of a fused kernel is one kind.
#pragma once

#include <string_view>

#include "fusescope/event.hpp"
#include "fusescope/recorder.hpp"

namespace fusescope::exec {

/// The first kind that is no op.
inline constexpr KindId kFirstFusedKind = 1000;

/// The same number for the same name, from any thread, as long as the process lives.
KindId intern_kind(std::string_view name);

/// Tells a recorder every interned name.
void announce_fused_kinds(Recorder& recorder);

}  // namespace fusescope::exec
