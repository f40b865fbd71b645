#include "engine/debug/debugger.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <utility>

#include "engine/core/context.hpp"
#include "engine/core/tensor_impl.hpp"
#include "engine/debug/again.hpp"
#include "engine/debug/element.hpp"
#include "engine/exec/unfused.hpp"
#include "engine/ir/op_def.hpp"

namespace fusescope::debug {
namespace {

void note(Watchpoint& w, WatchHit hit) {
    ++w.hits;
    if (w.list.size() == kLongestHitList) w.list.erase(w.list.begin());
    w.list.push_back(std::move(hit));
}

bool is_op(const OpDef& op, std::string_view name) {
    return op.name() == name || (!op.schema.functional.empty() && op.schema.functional == name);
}

/// Collects what a replay of a graph computes.
class Collect final : public DebugHook {
 public:
    std::vector<ShownOp> ops;
    std::uint32_t step = 0;

    void before_op(const OpCall&) override {}
    void after_op(const OpCall& call, std::span<const Tensor> outputs, EventId) override {
        ShownOp s;
        s.op = &call.op;
        s.attrs = call.attrs;
        s.inputs.assign(call.inputs.begin(), call.inputs.end());
        s.result_types.assign(call.results.begin(), call.results.end());
        s.outputs.assign(outputs.begin(), outputs.end());
        s.frame = call.frame;
        s.scope = call.scope;
        s.phase = call.phase;
        s.step = step;
        s.in_graph = true;
        ops.push_back(std::move(s));
    }
    void born(const BirthSite&) override {}
    bool op_by_op() const noexcept override { return true; }
    void before_graph(const GraphCall&) override {}
    void after_graph(const GraphCall&, std::span<const Tensor>) override {}
    void input_made(const Tensor&) override {}
    void value_seen(const Tensor&, std::string_view) override {}
};

}  // namespace

void Debugger::set_op_breakpoints(std::vector<OpBreakpoint> breakpoints) {
    const std::scoped_lock lock(mutex_);
    op_breakpoints_ = std::move(breakpoints);
    update_modes();
}

void Debugger::set_watchpoints(std::vector<Watchpoint> watchpoints) {
    const std::scoped_lock lock(mutex_);
    watchpoints_ = std::move(watchpoints);
    update_modes();
}

void Debugger::stop_at_births(bool nan, bool inf) {
    const std::scoped_lock lock(mutex_);
    stop_at_nan_ = nan;
    stop_at_inf_ = inf;
    update_modes();
}

std::vector<Watchpoint> Debugger::watchpoints() const {
    const std::scoped_lock lock(mutex_);
    return watchpoints_;
}

void Debugger::update_modes() {
    const bool births = stop_at_nan_ || stop_at_inf_;
    interesting_.store(!op_breakpoints_.empty() || !watchpoints_.empty() || births, std::memory_order_relaxed);
    op_by_op_.store(!op_breakpoints_.empty() || !watchpoints_.empty() || births || step_op_, std::memory_order_relaxed);
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

// One op, or the ops of a graph that ran as a whole, computed again from what it began with.
std::vector<ShownOp> Debugger::show(const Entry& e) {
    std::vector<Tensor> inputs;
    bool whole = true;
    for (ValueId id : e.inputs) {
        inputs.push_back(id ? history_.materialize(id) : Tensor());
        whole = whole && (id == 0 || inputs.back().defined());
    }
    if (e.kind == EntryKind::graph) {
        Collect collect;
        collect.step = e.step;
        if (whole) {
            const Again again(context_, e.seed, e.random_op, &collect);
            exec::UnfusedRun replay(context_, *e.graph, inputs, false);
            try {
                replay.all();
            } catch (const std::exception&) {
                // As far as it came then.
            }
        }
        return std::move(collect.ops);
    }
    ShownOp s;
    s.op = e.op;
    s.attrs = e.attrs;
    s.inputs = std::move(inputs);
    for (std::uint32_t i = 0; i < e.outputs; ++i) {
        s.result_types.push_back(history_.value(e.first_output + i)->type);
        s.outputs.push_back(history_.materialize(e.first_output + i));
    }
    s.frame = e.frame;
    s.scope = e.scope;
    s.phase = e.phase;
    s.step = e.step;
    s.in_graph = e.node != 0;
    return {std::move(s)};
}

std::optional<ShownOp> Debugger::last_op() {
    for (EntryId id = history_.last(); !history_.empty() && id >= history_.first(); --id) {
        const Entry* e = history_.entry(id);
        if (e->kind == EntryKind::input) continue;
        std::vector<ShownOp> ops = show(*e);
        if (ops.empty()) return std::nullopt;
        return std::move(ops.back());
    }
    return std::nullopt;
}

bool Debugger::go_to_birth_of(std::size_t input) {
    if (!shown_ || input >= shown_->inputs.size() || !shown_->inputs[input].defined()) return false;
    const Value* v = history_.value(shown_->inputs[input].impl()->history);
    const Entry* e = v ? history_.entry(v->made_by) : nullptr;
    if (!e || e->kind == EntryKind::input) return false;
    go_to_ = v->made_by;
    return true;
}

bool Debugger::breaks(const ShownOp& op) const {
    const std::scoped_lock lock(mutex_);
    for (const OpBreakpoint& b : op_breakpoints_) {
        if (is_op(*op.op, b.name) || names_cell(b.name, scope_path(op.scope))) return true;
    }
    Entry place;
    place.op = op.op;
    place.frame = op.frame;
    return breaks_at && breaks_at(place);
}

// Shows an entry: its first op, or its last. False for entries that hold none.
bool Debugger::land(EntryId id, bool at_end, Stop& stop) {
    const Entry* e = history_.entry(id);
    if (!e || e->kind == EntryKind::input) return false;
    if (id != cursor_ || past_.empty()) past_ = show(*e);
    if (past_.empty()) return false;
    cursor_ = id;
    past_at_ = at_end ? past_.size() - 1 : 0;
    shown_ = past_[past_at_];
    stop = {StopReason::history, fmt::format("{} in the past", shown_->op->name()), {}, {}};
    return true;
}

// One move through the past. True: `stop` says where we are now; false: the program is to go on.
bool Debugger::travel(Resume how, const Stop& present, Stop& stop) {
    const bool back = how == Resume::back || how == Resume::back_run;
    if (how == Resume::ended || (!back && cursor_ == 0)) return false;
    const std::optional<ShownOp> from = shown_;
    if (how == Resume::back && go_to_ != 0) {
        land(std::exchange(go_to_, 0), true, stop);
        return true;
    }
    for (;;) {
        bool moved = false;
        if (back) {
            if (cursor_ != 0 && past_at_ > 0) {
                shown_ = past_[--past_at_];
                moved = true;
            }
            const EntryId begin = cursor_ ? cursor_ - 1 : history_.last();
            for (EntryId id = begin; !moved && !history_.empty() && id >= history_.first() && id > 0; --id) {
                moved = land(id, true, stop);
            }
            if (!moved) {
                stop = {StopReason::history, "this is where the history begins", {}, {}};
                return true;
            }
        } else {
            if (past_at_ + 1 < past_.size()) {
                shown_ = past_[++past_at_];
                moved = true;
            }
            for (EntryId id = cursor_ + 1; !moved && id <= history_.last(); ++id) moved = land(id, false, stop);
            if (!moved) {
                cursor_ = 0;
                past_.clear();
                stop = present;
                return true;
            }
        }
        stop = {StopReason::history, fmt::format("{} in the past", shown_->op->name()), {}, {}};
        if (how == Resume::back || how == Resume::op) return true;
        const bool runs = how == Resume::back_run || how == Resume::run;
        if (runs ? breaks(*shown_) : !from || shown_->frame != from->frame) return true;
    }
}

void Debugger::stop(const Stop& first) {
    if (control_.is_answering()) return;
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
            go_to_ = 0;
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
    Stop s;
    bool wanted = false;
    {
        const std::scoped_lock lock(mutex_);
        // Births are found by looking at each value.
        if ((stop_at_nan_ || stop_at_inf_) && !looks_for_births(context_.watch)) context_.watch = Watch::health;
        for (OpBreakpoint& b : op_breakpoints_) {
            const bool kind = is_op(call.op, b.name);
            if (!kind && (call.scope == last_scope_ || !names_cell(b.name, scope_path(call.scope)))) continue;
            ++b.hits;
            wanted = true;
            s.reason = StopReason::op_breakpoint;
            s.breakpoints.push_back(b.id);
        }
        last_scope_ = call.scope;
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
    if (!pause_.load(std::memory_order_relaxed)) return;
    stop({StopReason::pause, "in a loop inside a compiled graph", {}, {}});
}

void Debugger::after_op(const OpCall& call, std::span<const Tensor> outputs, EventId event) {
    Session::after_op(call, outputs, event);
    if (!interesting_.load(std::memory_order_relaxed)) return;
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
    look_at_watchpoints(call, outputs, event);
}

void Debugger::value_seen(const Tensor& value, std::string_view as) {
    Session::value_seen(value, as);
    // The gradients of one loss are told in order.
    if (as == "loss") gradients_seen_ = 0;
    const std::size_t number = as == "gradient" ? gradients_seen_++ : 0;
    if (as != "gradient" || !interesting_.load(std::memory_order_relaxed) || value.is_pending()) return;
    std::vector<int> ids;
    std::string text;
    {
        const std::scoped_lock lock(mutex_);
        for (Watchpoint& w : watchpoints_) {
            if (w.on != WatchOn::gradients || !fires(w, {w.id, context_.frame(), number, {}}, value, stats_of(value))) {
                continue;
            }
            note(w, {{}, to_string(value.shape()), context_.frame(), context_.step});
            ids.push_back(w.id);
            text = w.text;
        }
    }
    if (!ids.empty()) hit(ids, text + ": a gradient of shape " + to_string(value.shape()), nullptr, {});
}

namespace {

std::string parameter_name(const OpCall& call, std::size_t i) {
    if (call.node) {
        const ir::Node* n = call.node->inputs[i].node.get();
        return n && n->kind == ir::NodeKind::parameter ? n->name : std::string();
    }
    const TensorImpl* t = call.inputs[i].impl();
    return t->parameter ? t->parameter->name : std::string();
}

bool concerns(const Watchpoint& w, const OpCall& call, std::size_t output) {
    const std::size_t written = call.op.schema.traits.writes;
    switch (w.on) {
        case WatchOn::everything:
            return true;
        case WatchOn::op:
            return is_op(call.op, w.target);
        case WatchOn::cell:
            return names_cell(w.target, scope_path(call.scope));
        case WatchOn::parameters:
            return output < written;
        case WatchOn::name:
            return output < written && parameter_name(call, output) == w.target;
        case WatchOn::gradients:
            return false;  // told by value_seen
    }
    return false;
}

}  // namespace

void Debugger::look_at_watchpoints(const OpCall& call, std::span<const Tensor> outputs, EventId event) {
    std::vector<int> ids;
    std::string text;
    {
        const std::scoped_lock lock(mutex_);
        for (std::size_t o = 0; o < outputs.size() && !watchpoints_.empty(); ++o) {
            std::optional<ValueStats> stats;
            for (Watchpoint& w : watchpoints_) {
                if (!concerns(w, call, o)) continue;
                if (!stats) stats = stats_of(outputs[o]);
                // What is written to a Parameter is compared with what that held, wherever it was written.
                const bool written = o < call.op.schema.traits.writes;
                const Place place{w.id, call.frame, o, written ? parameter_name(call, o) : std::string()};
                if (!fires(w, place, outputs[o], *stats)) continue;
                note(w, {call.op.name(), to_string(outputs[o].shape()), call.frame, context_.step, event});
                ids.push_back(w.id);
                text = w.text;
            }
        }
    }
    if (!ids.empty())
        hit(ids, fmt::format("{}: {} of shape {}", text, call.op.name(), to_string(outputs[0].shape())), &call,
            outputs);
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

bool Debugger::fires(const Watchpoint& w, Place place, const Tensor& value, const ValueStats& s) {
    const auto compared = [&](auto&& test) {
        if (!std::get<std::string>(place).empty()) std::get<FrameId>(place) = 0;
        Tensor& before = before_[place];
        const Tensor old = std::exchange(before, snapshot_tensor(value));
        return old.defined() && old.type() == value.type() && test(old);
    };
    const auto moved = [&](const Tensor& old, bool relative) {
        for (std::int64_t i = 0; i < value.count(); ++i) {
            const double a = number_at(old, i), b = number_at(value, i);
            if (std::fabs(b - a) > w.a * (relative ? std::fabs(a) : 1)) return true;
        }
        return false;
    };
    const auto same_bits = [&](const Tensor& old) {
        return std::memcmp(old.impl()->raw(), value.impl()->raw(), value.type().bytes()) == 0;
    };
    switch (w.kind) {
        case WatchKind::nan:
            return s.nan > 0;
        case WatchKind::inf:
            return s.inf > 0;
        case WatchKind::overflow:
            return s.inf > 0 || s.at_limit > 0;
        case WatchKind::underflow:
            return s.subnormal > 0;
        case WatchKind::zero:
            return s.count > 0 && s.zero == s.count;
        case WatchKind::unchanged:
            return compared(same_bits);
        case WatchKind::changed:
            return compared([&](const Tensor& old) { return !same_bits(old); });
        case WatchKind::range:
            return s.min < w.a || s.max > w.b || s.inf > 0;
        case WatchKind::change:
            return compared([&](const Tensor& old) { return moved(old, false); });
        case WatchKind::relative_change:
            return compared([&](const Tensor& old) { return moved(old, true); });
        case WatchKind::norm:
            return s.norm > w.a || s.nan > 0 || s.inf > 0;
        case WatchKind::dead:
            return s.count > 0 && static_cast<double>(s.zero) >= w.a * static_cast<double>(s.count);
        case WatchKind::expression:
            return w.holds && w.holds(s);
    }
    return false;
}

}  // namespace fusescope::debug
