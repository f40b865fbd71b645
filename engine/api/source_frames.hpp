// Frames of C++ programs (fusescope/source_line.hpp) for a recorder that comes later.
#pragma once

#include "fusescope/recorder.hpp"

namespace fusescope {

/// Defines all frames known so far.
void announce_source_frames(Recorder& recorder);

}  // namespace fusescope
