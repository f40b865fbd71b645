// Telling whether the process that wrote something is still there.
#pragma once

#include <string>

namespace fusescope {

/// "<pid> <start> <boot>": names one process of one machine for ever, also when its pid is used again. Empty when there
/// is no such process, or when the system does not tell.
std::string process_identity(long pid);

}  // namespace fusescope
