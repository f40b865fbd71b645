// What the API's parts must know of a recording that may begin after they did.
#pragma once

#include <cstdint>

#include "fusescope/recorder.hpp"

namespace fusescope {

/// Defines all frames of C++ programs (fusescope/source_line.hpp) known so far.
void announce_source_frames(Recorder& recorder);

/// Which of this thread's recordings is going on, 0 for none. Recorders may follow each other at one address.
std::uint64_t current_recording() noexcept;

}  // namespace fusescope
