// The one exception type for a user's mistake.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "fusescope/event.hpp"

namespace fusescope {

/// Decides the Python class that is raised and the kind of the finding.
enum class ErrorKind { shape, dtype, index, value, type, runtime, memory };

/// A user's mistake: what was wrong, with the shapes or values, and what to try. what() is the whole message.
/// Shape errors become ValueError, dtype errors TypeError, index errors IndexError in Python.
class UserError : public std::runtime_error {
 public:
    UserError(ErrorKind kind, std::string op, const std::string& message, std::vector<std::string> shapes = {},
              std::string advice = {})
        : std::runtime_error(message),
          kind_(kind),
          op_(std::move(op)),
          shapes_(std::move(shapes)),
          advice_(std::move(advice)) {}

    ErrorKind kind() const noexcept { return kind_; }
    const std::string& op() const noexcept { return op_; }  ///< "MatMul"; empty when no op is at fault
    const std::vector<std::string>& shapes() const noexcept { return shapes_; }  ///< operand shapes in order
    const std::string& advice() const noexcept { return advice_; }
    /// The line that called the op, when that is not the one that is running: a graph computes later. 0: unknown.
    FrameId frame() const noexcept { return frame_; }
    void set_frame(FrameId frame) noexcept { frame_ = frame; }

 private:
    FrameId frame_ = 0;
    ErrorKind kind_;
    std::string op_;
    std::vector<std::string> shapes_;
    std::string advice_;
};

}  // namespace fusescope
