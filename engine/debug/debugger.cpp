#include "engine/debug/debugger.hpp"

#include <fmt/format.h>

#include <utility>

#include "engine/core/context.hpp"
#include "engine/core/tensor_impl.hpp"
#include "engine/ir/op_def.hpp"

namespace fusescope::debug {
void Debugger::set_op_breakpoints(std::vector<OpBreakpoint> breakpoints) {
    const std::scoped_lock lock(mutex_);
    std::vector<std::shared_ptr<OpBreakpoint>> list;
    for (OpBreakpoint& b : breakpoints) {
        for (const auto& old : op_breakpoints_) {
            if (old->name == b.name && old->condition == b.condition && old->hit_condition == b.hit_condition) {
                b.hits = old->hits;
            }
        }
        list.push_back(std::make_shared<OpBreakpoint>(std::move(b)));
    }
    op_breakpoints_ = std::move(list);
    update_modes();
}

void Debugger::set_watchpoints(std::vector<Watchpoint> watchpoints) {
    watches_.set(std::move(watchpoints));
    const std::scoped_lock lock(mutex_);
    update_modes();
}

void Debugger::stop_at_births(bool nan, bool inf) {
    const std::scoped_lock lock(mutex_);
    stop_at_nan_ = nan;
    stop_at_inf_ = inf;
    update_modes();
}

std::vector<std::pair<int, std::uint64_t>> Debugger::op_hits() const {
    const std::scoped_lock lock(mutex_);
    std::vector<std::pair<int, std::uint64_t>> hits;
    for (const auto& b : op_breakpoints_) hits.emplace_back(b->id, b->hits);
    return hits;
}

// One thread is debugged: ops of others run as if there were no debugger.
bool Debugger::passes_over() {
    if (std::this_thread::get_id() == thread_) return false;
    if ((interesting_.load() || pause_.load()) && !said_threads_.exchange(true)) {
        control_.listener().said("Ops in other threads do not stop: only the main thread is debugged.\n");
    }
    return true;
}

void Debugger::update_modes() {
    const bool births = stop_at_nan_ || stop_at_inf_;
    const bool some = !op_breakpoints_.empty() || !watches_.empty() || births;
    interesting_.store(some, std::memory_order_relaxed);
    op_by_op_.store(some || step_op_, std::memory_order_relaxed);
}

ShownOp Debugger::show(const OpCall& call) const {
    ShownOp s;
    s.op = &call.op;
    s.attrs = call.attrs;
    s.inputs.assign(call.inputs.begin(), call.inputs.end());
    s.result_types.assign(call.results.begin(), call.results.end());
    s.frame = call.frame;
    s.scope = call.scope;
    s.phase = call.phase;
    s.step = context_.step;
    s.in_graph = call.node != nullptr;
    return s;
}

void Debugger::stop(const Stop& first) {
    if (control_.is_answering() || passes_over()) return;
    const std::optional<ShownOp> present = shown_;
    end_pause();
    if (stopping) stopping();
    Stop stop = first;
    Resume how;
    for (;;) {
        how = control_.stop(stop);
        try {
            if (!travel(how, first, stop)) break;
        } catch (const std::exception& e) {
            // What ran once does not run again: for lack of memory, most often.
            go_to_ = {};
            stop = {StopReason::history, "this cannot be computed again", e.what(), {}};
        }
        if (cursor_ == 0) shown_ = present;
    }
    cursor_ = 0;
    past_.clear();
    shown_ = present;
    {
        const std::scoped_lock lock(mutex_);
        step_op_ = how == Resume::op;
        update_modes();
    }
    if (resumed) resumed(how);
}

void Debugger::stop_before(const OpCall& call, const Stop& s) {
    shown_ = show(call);
    stop(s);
    shown_.reset();
}

void Debugger::before_op(const OpCall& call) {
    Session::before_op(call);
    if (!step_op_ && !interesting_.load(std::memory_order_relaxed) && !pause_.load(std::memory_order_relaxed)) return;
    if (passes_over() || control_.is_answering()) return;
    Stop s;
    std::vector<std::shared_ptr<OpBreakpoint>> here;
    {
        const std::scoped_lock lock(mutex_);
        // Births are found by looking at each value.
        if ((stop_at_nan_ || stop_at_inf_) && !looks_for_births(context_.watch)) context_.watch = Watch::health;
        for (const auto& b : op_breakpoints_) {
            const bool kind = is_op(call.op, b->name);
            if (kind || (call.scope != last_scope_ && names_cell(b->name, scope_path(call.scope)))) here.push_back(b);
        }
        last_scope_ = call.scope;
    }
    bool wanted = false;
    for (const auto& b : here) {
        if (b->holds && !b->holds(call)) continue;  // which runs Python: no lock is held
        std::uint64_t number = 0;
        {
            const std::scoped_lock lock(mutex_);
            number = ++b->hits;
        }
        if (b->counts && !b->counts(number)) continue;
        wanted = true;
        s.reason = StopReason::op_breakpoint;
        s.breakpoints.push_back(b->id);
    }
    if (!wanted && step_op_) {
        s.reason = StopReason::step;
        wanted = true;
    }
    if (!wanted && pause_.load(std::memory_order_relaxed)) {
        s.reason = StopReason::pause;
        wanted = true;
    }
    if (!wanted) return;
    s.description = fmt::format("before {}{}", call.op.name(), call.node ? " (graph, run op by op)" : "");
    stop_before(call, s);
}

void Debugger::loop_turns() {
    if (!pause_.load(std::memory_order_relaxed) || passes_over()) return;
    stop({StopReason::pause, "in a loop inside a compiled graph", {}, {}});
}

void Debugger::after_op(const OpCall& call, std::span<const Tensor> outputs, EventId event) {
    Session::after_op(call, outputs, event);
    if (!interesting_.load(std::memory_order_relaxed) && !watches_.wanted()) return;
    if (passes_over() || control_.is_answering()) return;
    bool nan = false, inf = false;
    {
        const std::scoped_lock lock(mutex_);
        nan = stop_at_nan_ && births_.just_born(true);
        inf = stop_at_inf_ && births_.just_born(false);
    }
    if (nan || inf) {
        shown_ = show(call);
        shown_->outputs.assign(outputs.begin(), outputs.end());
        stop({StopReason::exception,
              fmt::format("{} was born in {}", nan ? "NaN" : "Inf", call.op.name()),
              births_.last() ? births_.last()->rule : std::string(),
              {}});
        shown_.reset();
    }
    if (!watches_.wanted()) return;
    const Watches::Fired fired = watches_.look(call, outputs, event, context_.step, control_.listener());
    if (fired.ids.empty()) return;
    hit(fired.ids, fmt::format("{}: {} of shape {}", fired.text, call.op.name(), to_string(outputs[0].shape())), &call,
        outputs);
}

void Debugger::value_seen(const Tensor& value, std::string_view as) {
    Session::value_seen(value, as);
    // The gradients of one loss are told in order.
    if (as == "loss") gradients_seen_ = 0;
    const std::size_t number = as == "gradient" ? gradients_seen_++ : 0;
    if (as != "gradient" || !watches_.wanted() || value.is_pending() || passes_over()) return;
    const Watches::Fired fired =
        watches_.look_at_gradient(value, number, context_.frame(), context_.step, control_.listener());
    if (!fired.ids.empty()) {
        hit(fired.ids, fired.text + ": a gradient of shape " + to_string(value.shape()), nullptr, {});
    }
}

void Debugger::hit(const std::vector<int>& ids, const std::string& text, const OpCall* call,
                   std::span<const Tensor> outputs) {
    if (call) {
        shown_ = show(*call);
        shown_->outputs.assign(outputs.begin(), outputs.end());
    }
    stop({StopReason::watchpoint, "watchpoint " + text, text, ids});
    shown_.reset();
}

}  // namespace fusescope::debug
