// Turning a file path into an SQLite URI.
#pragma once

#include <string>
#include <string_view>

namespace fusescope {

/// "file:" URI of a path, with every byte that a URI gives a meaning to escaped. `query` is appended as it is.
std::string sqlite_uri(std::string_view path, std::string_view query);

}  // namespace fusescope
