// Everything that an op's execution depends on besides its operands. One per interpreter, which all of its threads
// share, or one per thread of a C++ program; there is no other global state.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "fusescope/recorder.hpp"
#include "fusescope/tensor.hpp"

namespace fusescope {

struct OpDef;
class Attrs;
namespace exec {
class Producers;
}  // namespace exec
class DebugHook;

/// Where ops go instead of being computed at once. Implemented by engine/trace.
class TraceSink {
 public:
    virtual ~TraceSink() = default;
    /// Appends a node; returns pending tensors.
    virtual std::vector<Tensor> append(const OpDef& op, std::span<const Tensor> inputs, const Attrs& attrs,
                                       std::span<const TensorType> outputs) = 0;
    /// `copy` was made of `original` and holds its present value: a reader of either reads the same thing. Without
    /// this, the copy of a Parameter would be taken for a tensor that stays as it is from call to call.
    virtual void same_value(const Tensor& copy, const Tensor& original) = 0;
    /// `target`, which is no Parameter, is about to take another value.
    virtual void assigning(const Tensor&) {}
    /// Somebody looks at the value of a tensor that does not wait: what comes of it is not in the trace.
    virtual void looked_at(TransferReason) {}
};

/// Gradients of the inputs (undefined: none) for those of the outputs, which are all defined.
using OwnGradient = std::function<std::vector<Tensor>(std::span<const Tensor> out_grads)>;

/// Who listens for gradients. Implemented by engine/autodiff.
class TapeSink {
 public:
    virtual ~TapeSink() = default;
    virtual void record(const OpDef& op, std::span<const Tensor> inputs, std::span<const Tensor> outputs,
                        const Attrs& attrs) = 0;
    /// Something that is no op made `outputs` of `inputs`, and knows its own gradient.
    virtual void record_own(std::span<const Tensor> inputs, std::span<const Tensor> outputs, OwnGradient gradient) = 0;
    /// `target`, which is no Parameter, is about to take the value of `value`, or one that does not depend on anything
    /// watched when that is undefined.
    virtual void assigning(const Tensor& target, const Tensor& value) = 0;
};

struct Context {
    DeviceKind device = DeviceKind::cpu;
    TraceSink* trace = nullptr;             ///< current trace; null: ops run at once
    std::unique_ptr<TraceSink> lazy_trace;  ///< of graph mode: ops outside of compiled functions wait in it
    std::vector<TapeSink*> tapes;           ///< outermost first
    Recorder* recorder = nullptr;
    Watch watch = Watch::off;
    exec::Producers* producers = nullptr;  ///< who made which tensor; kept while something is watched
    DebugHook* hook = nullptr;             ///< debug_hook.hpp; set whenever `watch` is on

    /// Innermost user frame of the caller, interned; null for programs without Python.
    FrameId (*site)(void* state) = nullptr;
    void* site_state = nullptr;
    /// The frame of a stack's innermost line alone: the same for all ways to that line. Null: frames have no callers.
    FrameId (*line_of)(FrameId frame) = nullptr;
    /// Called before each turn of a loop inside a graph, which may never end: lets the program's signals in. May throw.
    void (*between_turns)() = nullptr;
    ScopeId scope = 0;  ///< Cell that is being called
    std::uint32_t step = 0;
    Phase phase = Phase::forward;
    FrameId forced_frame = 0;        ///< set while gradients run: the forward line they belong to
    const OpDef* part_of = nullptr;  ///< set while gradients run: the forward op; while a composite runs: it

    std::uint64_t seed = 0;
    std::uint64_t random_ops = 0;  ///< random ops executed since the seed was set
    EventId last_event = 0;
    std::string passes;  ///< which passes run, as --passes has it; empty: the default ones
    std::map<std::string, std::uint64_t, std::less<>> rewrites;  ///< made by passes that `passes` sets a limit to

    /// False when an op may take the shortest way: nothing records, traces or differentiates. Kept by `update`.
    bool plain = true;
    /// The same while something records that does not look at values.
    bool unwatched = false;
    void update() noexcept {
        const bool alone = !trace && tapes.empty() && device == DeviceKind::cpu && !hook;
        plain = alone && !recorder;
        unwatched = alone && recorder && watch == Watch::off;
    }

    FrameId frame() const { return forced_frame ? forced_frame : site ? site(site_state) : 0; }

    static Context& current() noexcept;
    /// Makes `context` the current one of this thread; returns the one before. Null: the shared one, or one of its own.
    static Context* set_current(Context* context) noexcept;
    /// Makes `context` the current one of all threads that have none set. For an interpreter, whose lock keeps its
    /// threads apart; it must outlive them.
    static void share(Context* context) noexcept;

    /// Puts what the calling thread was doing (its trace, tapes, scope and phase) in place of what another did that
    /// had its turn. `current` does so; whoever holds a shared context over a call of the program's does so afterwards.
    void take_turn() {
        if (shared_ && turn_of_ != thread_number()) change_turns();
    }
    /// What ops go to when `trace` is left: `outer`, or the trace of graph mode as it is now when that is null.
    void return_to(TraceSink* outer) noexcept {
        trace = outer ? outer : lazy_trace.get();
        update();
    }
    /// For return_to: the present trace, null for that of graph mode.
    TraceSink* outer_trace() const noexcept { return trace == lazy_trace.get() ? nullptr : trace; }

 private:
    struct Turn {
        TraceSink* outer = nullptr;
        std::vector<TapeSink*> tapes;
        ScopeId scope = 0;
        Phase phase = Phase::forward;
        FrameId forced_frame = 0;
        const OpDef* part_of = nullptr;
    };
    static std::uint64_t thread_number() noexcept;
    void change_turns();

    bool shared_ = false;
    std::uint64_t turn_of_ = 0;
    std::map<std::uint64_t, Turn> waiting_;  ///< of threads that were interrupted
};

/// As snapshot_tensor, and the current trace learns that both have the same value.
Tensor traced_snapshot(const Context& context, const Tensor& t);

/// Path of Cells as numbers; 0 is the top. The name is what MindSpore puts in scopes, "fc-Dense".
ScopeId intern_scope(ScopeId parent, const std::string& name, Recorder* recorder);
/// "Default/fc-Dense" for an interned scope.
std::string scope_path(ScopeId scope);

}  // namespace fusescope
