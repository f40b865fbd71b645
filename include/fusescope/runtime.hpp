// Settings of the calling thread's engine: where ops run, the random seed, and who records.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "fusescope/event.hpp"
#include "fusescope/recorder.hpp"

namespace fusescope {

class DebugHook;

/// Ops of this thread run on `device` from now on; values move there when they are first used.
void set_device(DeviceKind device);
/// Whether ops outside of jit run at once, or wait until a value is looked at and then run as one graph. Look at what
/// waits from the thread that asked for it.
enum class Mode { eager, graph };
/// Turning graph mode off runs what waits, and throws UserError when that fails.
void set_mode(Mode mode);
/// Restarts the random stream. The same seed gives the same numbers in eager mode and in graphs.
void set_seed(std::uint64_t seed);
/// Threads that kernels use; the default is the number of cores.
void set_threads(int count);

/// Everything this thread does goes to `recorder` while this object lives. The recorder must live longer. What waits in
/// graph mode at the end is run; where that fails the recorder gets a finding and the tensors have no values.
class Recording {
 public:
    Recording(Recorder& recorder, Watch watch = Watch::health);
    ~Recording();
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;

 private:
    std::unique_ptr<DebugHook> hook_;  ///< explains bad values
};

/// Names the place in the program that ops of this scope belong to, as a Cell does in Python: "fc-Dense".
class Scope {
 public:
    explicit Scope(const std::string& name);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

 private:
    ScopeId outer_;
};

}  // namespace fusescope
