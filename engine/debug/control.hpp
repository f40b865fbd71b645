// The meeting place of the program's thread, which stops, and the thread that serves a debugger, which asks and
// resumes.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

namespace fusescope::debug {

enum class StopReason : std::uint8_t {
    entry,
    breakpoint,
    function_breakpoint,
    op_breakpoint,  ///< an op kind or a Cell
    watchpoint,
    exception,
    step,
    pause,
    history,  ///< shows the past: after stepping back
};

struct Stop {
    StopReason reason = StopReason::pause;
    std::string description;       ///< one line: "before Softmax", "NaN was born in Log"
    std::string text;              ///< more, for an exception or a watchpoint
    std::vector<int> breakpoints;  ///< ids that were hit
};

/// How the program goes on.
enum class Resume : std::uint8_t {
    run,
    over,      ///< to the next line of this function or of its caller
    in,        ///< to the next line, wherever it is
    out,       ///< to the caller
    op,        ///< to just before the next op
    back,      ///< one op towards the past
    back_run,  ///< to the breakpoint before
    ended,     ///< the debugger went away: run with nobody watching
};

/// Who wants to hear of stops. Called on the program's thread.
class StopListener {
 public:
    virtual ~StopListener() = default;
    virtual void stopped(const Stop& stop) = 0;
    virtual void resumed() = 0;
    /// A logpoint's text, or a word from the debugger itself.
    virtual void said(const std::string& text) = 0;
    /// A breakpoint or watchpoint that was taken turned out not to work.
    virtual void unverified(int id, const std::string& message) = 0;
};

class Control {
 public:
    explicit Control(StopListener& listener) : listener_(listener) {}

    // The program's thread.

    /// Tells the listener, then runs what is asked of it until told to go on.
    Resume stop(const Stop& stop);
    /// The same before the program begins: `ready` is called instead, once questions are answered.
    Resume wait_for_start(const std::function<void()>& ready);
    /// A question is being answered: what it runs must not stop, for nobody could resume it.
    bool is_answering() const noexcept { return answering_.load(std::memory_order_relaxed); }
    StopListener& listener() noexcept { return listener_; }

    // Any other thread.

    /// Runs `task` on the program's thread if it is stopped, and waits for it; false when it runs. `task` throws
    /// nothing.
    bool call(const std::function<void()>& task);
    /// Nothing happens while the program runs.
    bool resume(Resume how);
    bool is_stopped() const;
    bool is_gone() const;
    /// From now on stops end at once: nobody is there any more.
    void let_go();

 private:
    Resume serve(const std::function<void()>& announce);

    StopListener& listener_;
    mutable std::mutex mutex_;
    std::condition_variable wake_, done_;
    std::atomic<bool> answering_{false};
    bool stopped_ = false;
    bool gone_ = false;
    const std::function<void()>* task_ = nullptr;
    bool resumed_ = false;
    Resume how_ = Resume::run;
};

}  // namespace fusescope::debug
