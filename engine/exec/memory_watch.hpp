// Memory events: what the allocator gives and takes back, told to whoever records.
#pragma once

#include "engine/core/context.hpp"

namespace fusescope::exec {

/// What any thread allocates and releases is told to `recorder` from now on; null ends it. Small pieces come summed up.
/// The recorder must outlive the releases that are under way.
void watch_memory(Recorder* recorder) noexcept;

/// While it lives, what this thread allocates and releases belongs to the op event that is published next.
class RunningOp {
 public:
    explicit RunningOp(const Context& context) noexcept;
    ~RunningOp();
    RunningOp(const RunningOp&) = delete;
    RunningOp& operator=(const RunningOp&) = delete;

 private:
    EventId before_;
};

}  // namespace fusescope::exec
