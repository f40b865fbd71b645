// Where in a C++ program ops come from, for profiles.
#pragma once

#include <source_location>

#include "fusescope/event.hpp"

namespace fusescope {

/// Ops of this thread belong to this line while the object lives. Objects nest like calls: an inner one is a frame
/// called from the outer one's line.
///
///     SourceLine here;
///     Tensor y = ops::relu(x);
class SourceLine {
 public:
    explicit SourceLine(std::source_location where = std::source_location::current());
    ~SourceLine();
    SourceLine(const SourceLine&) = delete;
    SourceLine& operator=(const SourceLine&) = delete;

 private:
    FrameId outer_;
};

}  // namespace fusescope
