// Keeping the text of a source file with the profile.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace fusescope {

struct SourceText {
    std::optional<std::string> text;
    std::string note;  ///< why there is no text
};

/// Reads `path`, relative to `directory`. Never throws: a file that is missing, too long, not regular or no text gives
/// a note. "<string>" and its like are no files.
SourceText read_source_text(const std::string& directory, const std::string& path);

/// The text with every byte that is not UTF-8 replaced by U+FFFD.
std::string valid_utf8(std::string_view text);

}  // namespace fusescope
