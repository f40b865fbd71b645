// A session that stops: before ops, at bad values, at watchpoints; and that goes back through the history.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/debug/breakpoints.hpp"
#include "engine/debug/control.hpp"
#include "engine/debug/session.hpp"
#include "engine/debug/watches.hpp"

namespace fusescope::debug {

/// An op on show: about to run, or of the past.
struct ShownOp {
    const OpDef* op = nullptr;
    Attrs attrs;
    std::vector<Tensor> inputs;  ///< undefined: absent, or no longer known
    std::vector<TensorType> result_types;
    std::vector<Tensor> outputs;  ///< empty before it has run
    FrameId frame = 0;
    ScopeId scope = 0;
    Phase phase = Phase::forward;
    std::uint32_t step = 0;
    bool in_graph = false;  ///< a node of a captured graph that runs op by op
};

class Debugger final : public Session {
 public:
    Debugger(Context& context, HistoryLimits limits, Control& control) : Session(context, limits), control_(control) {}

    // From any thread.
    void set_op_breakpoints(std::vector<OpBreakpoint> breakpoints);
    void set_watchpoints(std::vector<Watchpoint> watchpoints);
    /// Stop where a NaN or an Inf is born.
    void stop_at_births(bool nan, bool inf);
    /// The next op stops, if no line did before.
    void pause() { pause_.store(true, std::memory_order_relaxed); }
    /// Nothing is to pause any more: a stop has come.
    void end_pause() { pause_.store(false, std::memory_order_relaxed); }
    std::vector<Watchpoint> watchpoints() const { return watches_.points(); }
    /// Of op breakpoints: id and how often.
    std::vector<std::pair<int, std::uint64_t>> op_hits() const;

    // On the program's thread.

    /// Stops here until resumed; steps through the past happen inside. Nothing while a stop answers a question.
    void stop(const Stop& stop);
    /// Told when a stop begins.
    std::function<void()> stopping;
    /// Told at the end of each stop; sets line stepping up.
    std::function<void(Resume)> resumed;
    /// Whether a line breakpoint stands at the line of an op of the past.
    std::function<bool(FrameId)> breaks_at;

    /// The op of the moment: of the past when going back, else the one about to run. Null when a line stopped.
    const ShownOp* shown() const noexcept { return shown_ ? &*shown_ : nullptr; }
    /// The op that ran last, with its results, and its kind alone, which costs nothing.
    std::optional<ShownOp> last_op();
    const OpDef* last_op_kind() const;
    bool in_the_past() const noexcept { return cursor_ != 0; }
    /// The next travel (Resume::back) goes to the op that made operand `input` of the op on show. False when that is
    /// not known any more, or when the value is the program's data.
    bool go_to_birth_of(std::size_t input);

    void loop_turns() override;
    void before_op(const OpCall& call) override;
    void after_op(const OpCall& call, std::span<const Tensor> outputs, EventId event) override;
    void value_seen(const Tensor& value, std::string_view as) override;
    bool op_by_op() const noexcept override { return op_by_op_.load(std::memory_order_relaxed); }

 private:
    ShownOp show(const OpCall& call) const;
    std::vector<ShownOp> show(const Entry& entry, std::vector<Tensor>* results);
    const Entry* last_entry() const;
    bool travel(Resume how, const Stop& present, Stop& stop);
    bool land(EntryId entry, bool at_end, Stop& stop);
    bool land_at_birth(Stop& stop);
    void show_past(Stop& stop);
    bool breaks(const OpDef& op, FrameId frame, ScopeId scope);
    bool may_break(const Entry& entry);
    bool may_break(const ir::Graph& graph);
    void stop_before(const OpCall& call, const Stop& stop);
    void hit(const std::vector<int>& ids, const std::string& text, const OpCall* call, std::span<const Tensor> outputs);
    void update_modes();
    bool passes_over();

    Control& control_;
    mutable std::mutex mutex_;  // guards the lists below, which any thread may replace
    std::vector<std::shared_ptr<OpBreakpoint>> op_breakpoints_;
    bool stop_at_nan_ = false, stop_at_inf_ = false;

    std::atomic<bool> interesting_{false};  ///< some list above is not empty: each op is looked at
    std::atomic<bool> op_by_op_{false};
    std::atomic<bool> pause_{false};
    bool step_op_ = false;
    ScopeId last_scope_ = 0;
    std::size_t gradients_seen_ = 0;  ///< of the last loss
    std::optional<ShownOp> shown_;
    EntryId cursor_ = 0;         ///< entry on show; 0: the present
    std::vector<ShownOp> past_;  ///< the ops of that entry: one, or those of a graph
    std::size_t past_at_ = 0;
    std::vector<Tensor> past_results_;  ///< of a graph there: its outputs and updates
    struct GoTo {
        EntryId entry = 0;
        std::optional<std::size_t> at, result;  ///< which of its ops, or the one that made which of its results
    };
    GoTo go_to_;
    std::unordered_map<FrameId, bool> breaking_frames_;  ///< of one move
    Watches watches_;
    const std::thread::id thread_ = std::this_thread::get_id();  ///< the program's
    std::atomic<bool> said_threads_{false};
};

}  // namespace fusescope::debug
