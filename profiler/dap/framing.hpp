// The Debug Adapter Protocol's outer layer: "Content-Length: N\r\n\r\n" and N bytes of JSON, both ways.
#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace fusescope::dap {

/// What came is no such message; nothing after it can be understood.
struct FramingError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Largest message that is taken; a client that announces more is not one.
inline constexpr std::size_t kLargestMessage = std::size_t{64} << 20;

/// Takes bytes as they come, cut anywhere, and gives whole messages.
class FrameReader {
 public:
    void feed(std::string_view bytes) { buffer_.append(bytes); }
    /// The next message's JSON; nothing when it is not complete. Throws FramingError.
    std::optional<std::string> next();

 private:
    std::string buffer_;
    std::optional<std::size_t> length_;
};

/// A message ready to be sent.
std::string framed(std::string_view json);

}  // namespace fusescope::dap
