// Keeps what was recorded when a signal ends the process: a crash, a kill, a closed terminal.
#pragma once

#include <atomic>
#include <csignal>
#include <cstddef>
#include <memory>

namespace fusescope {

/// Takes the place of the default action of the signals that end a process, for as long as it lives; a signal that is
/// ignored or has a handler already is left alone. One at a time. In a forked child the signals act as ever.
class FatalSignal {
 public:
    /// Called by the handler: it may only store to atomics. After it the handler waits until `saved()` was called, for
    /// a few seconds at most, and lets the signal take its course.
    using Ask = void (*)(void* state, int signal) noexcept;
    FatalSignal(Ask ask, void* state);
    ~FatalSignal();
    FatalSignal(const FatalSignal&) = delete;
    FatalSignal& operator=(const FatalSignal&) = delete;

    /// What was asked for is done. Called by the thread that saves.
    void saved() noexcept;

 private:
    std::unique_ptr<std::byte[]> stack_;  ///< for the handler, when the program's own has overflowed
    bool stack_in_use_ = false;
};

/// Keeps this thread, which saves, from being the one that a signal interrupts.
void block_fatal_signals_here();

}  // namespace fusescope
