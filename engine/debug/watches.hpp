// The watchpoints of a run: which of them a value fulfils, what each has seen before, and the list of its hits.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "engine/core/debug_hook.hpp"
#include "engine/debug/breakpoints.hpp"

namespace fusescope::debug {

class StopListener;

class Watches {
 public:
    /// Of one look.
    struct Fired {
        std::vector<int> ids;
        std::string text;  ///< of the last of them
    };

    // From any thread.

    /// One that was there before, by id and text, keeps its hits and what it has seen.
    void set(std::vector<Watchpoint> points);
    std::vector<Watchpoint> points() const;
    /// Whether there is anything to look for, or to throw away.
    bool wanted() const noexcept { return wanted_.load(std::memory_order_relaxed); }
    bool empty() const;

    // On the program's thread. No lock is held while an expression is asked.

    Fired look(const OpCall& call, std::span<const Tensor> outputs, EventId event, std::uint32_t step,
               StopListener& listener);
    /// `number`: which gradient of its loss it is.
    Fired look_at_gradient(const Tensor& value, std::size_t number, FrameId frame, std::uint32_t step,
                           StopListener& listener);

 private:
    /// Where a watchpoint looked: the line, the number of the result or gradient, and the Parameter's name if one was
    /// written.
    using Place = std::tuple<FrameId, std::size_t, std::string>;
    struct Watch {
        Watchpoint point;
        std::map<Place, Tensor> before;  ///< the program's thread alone touches this, and ends it
        bool failed = false;             ///< its expression has raised, which was told
    };
    std::vector<std::shared_ptr<Watch>> now();
    bool fires(Watch& w, Place place, const Tensor& value, const ValueStats& stats, StopListener& listener);
    static bool expression_holds(Watch& w, const ValueStats& stats, StopListener& listener);
    void note(Watch& w, WatchHit hit);

    mutable std::mutex mutex_;  // guards the lists, and the hits in them
    std::vector<std::shared_ptr<Watch>> watches_, dropped_;
    std::atomic<bool> wanted_{false};
};

}  // namespace fusescope::debug
