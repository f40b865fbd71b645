// Keeping the text of a source file with the profile.
#include "profiler/write/source_text.hpp"

#include <fmt/core.h>

#include <filesystem>
#include <fstream>

namespace fusescope {

namespace {

constexpr std::uintmax_t kMostBytes = 4 << 20;

/// Length of the UTF-8 character at the front of `text`, 0 when its bytes are not one.
std::size_t utf8_length(std::string_view text) {
    auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    unsigned first = byte(0);
    if (first < 0x80) return 1;
    std::size_t length = first >= 0xC2 && first < 0xE0   ? 2
                         : (first & 0xF0) == 0xE0        ? 3
                         : first >= 0xF0 && first < 0xF5 ? 4
                                                         : 0;
    if (length == 0 || text.size() < length) return 0;
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0) != 0x80) return 0;
    }
    // Too long for what it says, a surrogate half, or beyond the last character.
    if (first == 0xE0 && byte(1) < 0xA0) return 0;
    if (first == 0xED && byte(1) >= 0xA0) return 0;
    if (first == 0xF0 && byte(1) < 0x90) return 0;
    if (first == 0xF4 && byte(1) >= 0x90) return 0;
    return length;
}

}  // namespace

std::string valid_utf8(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        std::size_t length = utf8_length(text);
        if (length == 0) {
            result += "\xEF\xBF\xBD";
            length = 1;
        } else {
            result.append(text.substr(0, length));
        }
        text.remove_prefix(length);
    }
    return result;
}

SourceText read_source_text(const std::string& directory, const std::string& path) {
    namespace fs = std::filesystem;
    try {
        if (path.front() == '<') return {std::nullopt, "not a file"};
        fs::path file = fs::path(directory) / path;
        std::error_code error;
        fs::file_status status = fs::status(file, error);
        if (!fs::exists(status)) return {std::nullopt, "no such file when it was recorded"};
        if (!fs::is_regular_file(status)) return {std::nullopt, "not a regular file"};
        std::uintmax_t size = fs::file_size(file, error);
        if (error) return {std::nullopt, error.message()};
        if (size > kMostBytes) return {std::nullopt, fmt::format("{} bytes are more than are kept", size)};
        std::ifstream stream(file, std::ios::binary);
        std::string text(size, '\0');
        stream.read(text.data(), static_cast<std::streamsize>(size));
        if (!stream && !stream.eof()) return {std::nullopt, "could not be read"};
        text.resize(static_cast<std::size_t>(stream.gcount()));
        return {valid_utf8(text), {}};
    } catch (const std::exception& why) {
        return {std::nullopt, why.what()};
    }
}

}  // namespace fusescope
