// Making room for a new profile.
#pragma once

#include <string>

namespace fusescope {

/// Removes an old profile of that name with what lies beside it. Throws DatabaseError when `path` cannot be written or
/// names something that is not a profile and must not be lost.
void clear_target_file(const std::string& path);

/// Removes a profile with what lies beside it. What the system said when it could not; else empty.
std::string remove_profile_files(const std::string& path);

}  // namespace fusescope
