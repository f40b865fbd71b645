#include "profiler/dap/framing.hpp"

#include <strings.h>

#include <charconv>

namespace fusescope::dap {
namespace {

constexpr std::size_t kLongestHeader = 4096;

std::size_t content_length(std::string_view header) {
    constexpr std::string_view kName = "content-length:";
    while (!header.empty()) {
        const std::size_t end = header.find("\r\n");
        std::string_view line = header.substr(0, end);
        header = end == std::string_view::npos ? std::string_view() : header.substr(end + 2);
        if (line.size() < kName.size() || ::strncasecmp(line.data(), kName.data(), kName.size()) != 0) continue;
        line.remove_prefix(kName.size());
        while (line.starts_with(' ')) line.remove_prefix(1);
        std::size_t length = 0;
        const auto [at, error] = std::from_chars(line.data(), line.data() + line.size(), length);
        if (error != std::errc() || at != line.data() + line.size() || length > kLargestMessage) break;
        return length;
    }
    throw FramingError("a message without a Content-Length that can be understood");
}

}  // namespace

std::optional<std::string> FrameReader::next() {
    if (!length_) {
        const std::size_t end = buffer_.find("\r\n\r\n");
        if (end == std::string::npos) {
            if (buffer_.size() > kLongestHeader) throw FramingError("a header without an end");
            return std::nullopt;
        }
        length_ = content_length(std::string_view(buffer_).substr(0, end));
        buffer_.erase(0, end + 4);
    }
    if (buffer_.size() < *length_) return std::nullopt;
    std::string body = buffer_.substr(0, *length_);
    buffer_.erase(0, *length_);
    length_.reset();
    return body;
}

std::string framed(std::string_view json) {
    return "Content-Length: " + std::to_string(json.size()) + "\r\n\r\n" + std::string(json);
}

}  // namespace fusescope::dap
