// Going through the past: which ops a debugger shows there, and where a move ends.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/core/context.hpp"
#include "engine/core/tensor_impl.hpp"
#include "engine/debug/again.hpp"
#include "engine/debug/debugger.hpp"
#include "engine/exec/unfused.hpp"
#include "engine/ir/op_def.hpp"

namespace fusescope::debug {
namespace {

/// Collects what a replay of a graph computes.
class Collect final : public OpsAgain {
 public:
    std::vector<ShownOp> ops;
    std::uint32_t step = 0;

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
};

}  // namespace

// One op, or the ops of a graph that ran as a whole, computed again from what it began with. `results`: of the graph,
// as the values of its entry.
std::vector<ShownOp> Debugger::show(const Entry& e, std::vector<Tensor>* results) {
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
                if (results) {
                    *results = replay.outputs();
                    for (Tensor& t : replay.updates()) results->push_back(std::move(t));
                }
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

const Entry* Debugger::last_entry() const {
    for (EntryId id = history_.last(); !history_.empty() && id >= history_.first(); --id) {
        const Entry* e = std::as_const(history_).entry(id);
        if (e->kind != EntryKind::input) return e;
    }
    return nullptr;
}

const OpDef* Debugger::last_op_kind() const {
    const Entry* e = last_entry();
    if (!e || e->kind == EntryKind::op) return e ? e->op : nullptr;
    const OpDef* op = nullptr;
    for (const ir::NodePtr& n : e->graph->nodes) op = n->op ? n->op : op;
    return op;
}

std::optional<ShownOp> Debugger::last_op() {
    const Entry* e = last_entry();
    if (!e) return std::nullopt;
    std::vector<ShownOp> ops = show(*e, nullptr);
    if (ops.empty()) return std::nullopt;
    return std::move(ops.back());
}

bool Debugger::go_to_birth_of(std::size_t input) {
    if (!shown_ || input >= shown_->inputs.size() || !shown_->inputs[input].defined()) return false;
    const TensorImpl* wanted = shown_->inputs[input].impl();
    // Inside of a graph of the past: an op of the same run.
    for (std::size_t at = std::min(past_at_, past_.size()); cursor_ != 0 && at-- > 0;) {
        for (const Tensor& t : past_[at].outputs) {
            if (t.impl() != wanted) continue;
            go_to_ = {cursor_, at, {}};
            return true;
        }
    }
    const Value* v = history_.value(wanted->history);
    const Entry* e = v ? std::as_const(history_).entry(v->made_by) : nullptr;
    if (!e || e->kind == EntryKind::input) return false;
    go_to_ = {v->made_by, {}, static_cast<std::size_t>(wanted->history - e->first_output)};
    return true;
}

// Goes where go_to_birth_of found it.
bool Debugger::land_at_birth(Stop& stop) {
    const GoTo to = std::exchange(go_to_, {});
    if (!land(to.entry, true, stop)) return false;
    if (to.at) past_at_ = std::min(*to.at, past_.size() - 1);
    if (to.result && *to.result < past_results_.size()) {
        const TensorImpl* made = past_results_[*to.result].impl();
        for (std::size_t at = past_.size(); at-- > 0;) {
            const auto& outputs = past_[at].outputs;
            if (std::none_of(outputs.begin(), outputs.end(), [&](const Tensor& t) { return t.impl() == made; }))
                continue;
            past_at_ = at;
            break;
        }
    }
    show_past(stop);
    return true;
}

void Debugger::show_past(Stop& stop) {
    shown_ = past_[past_at_];
    stop = {StopReason::history, fmt::format("{} in the past", shown_->op->name()), {}, {}};
}

bool Debugger::breaks(const OpDef& op, FrameId frame, ScopeId scope) {
    {
        const std::scoped_lock lock(mutex_);
        // Conditions are about variables, and those of the past are not kept.
        for (const auto& b : op_breakpoints_) {
            if (is_op(op, b->name) || names_cell(b->name, scope_path(scope))) return true;
        }
    }
    if (!breaks_at) return false;
    // Asking is slow, and the ops of a loop have a handful of frames.
    const auto [at, fresh] = breaking_frames_.try_emplace(frame, false);
    if (fresh) at->second = breaks_at(frame);
    return at->second;
}

bool Debugger::may_break(const ir::Graph& graph) {
    return std::any_of(graph.nodes.begin(), graph.nodes.end(), [&](const ir::NodePtr& n) {
        if (n->op && breaks(*n->op, n->frame, n->scope)) return true;
        return std::any_of(n->regions.begin(), n->regions.end(),
                           [&](const auto& region) { return may_break(*region); });
    });
}

// Whether a move that ends at breakpoints may end in an entry: those where it cannot are not computed again.
bool Debugger::may_break(const Entry& e) {
    return e.kind == EntryKind::op ? breaks(*e.op, e.frame, e.scope)
                                   : e.kind == EntryKind::graph && may_break(*e.graph);
}

// Shows an entry: its first op, or its last. False for entries that hold none.
bool Debugger::land(EntryId id, bool at_end, Stop& stop) {
    const Entry* e = std::as_const(history_).entry(id);
    if (!e || e->kind == EntryKind::input) return false;
    if (id != cursor_ || past_.empty()) {
        past_results_.clear();
        past_ = show(*e, &past_results_);
    }
    if (past_.empty()) return false;
    cursor_ = id;
    past_at_ = at_end ? past_.size() - 1 : 0;
    show_past(stop);
    return true;
}

// One move through the past. True: `stop` says where we are now; false: the program is to go on.
bool Debugger::travel(Resume how, const Stop& present, Stop& stop) {
    const bool back = how == Resume::back || how == Resume::back_run;
    if (how == Resume::ended || (!back && cursor_ == 0)) return false;
    if (how == Resume::back && go_to_.entry != 0 && land_at_birth(stop)) return true;
    breaking_frames_.clear();
    const std::optional<FrameId> from = shown_ ? std::optional(shown_->frame) : std::nullopt;
    const bool runs = how == Resume::back_run || how == Resume::run;
    const auto ends_here = [&](const ShownOp& op) {
        if (how == Resume::back || how == Resume::op) return true;
        return runs ? breaks(*op.op, op.frame, op.scope) : op.frame != from;
    };
    // Within the ops of a graph.
    while (cursor_ != 0 && (back ? past_at_ > 0 : past_at_ + 1 < past_.size())) {
        past_at_ += back ? -1 : 1;
        show_past(stop);
        if (ends_here(*shown_)) return true;
    }
    EntryId passed = 0;  // the furthest one that was not looked at closely
    EntryId id = cursor_ ? cursor_ : history_.last() + 1;
    while (!history_.empty() && (back ? id > history_.first() : id < history_.last())) {
        id += back ? -1 : 1;
        const Entry* e = std::as_const(history_).entry(id);
        if (!e || e->kind == EntryKind::input) continue;
        if ((runs && !may_break(*e)) ||
            (!runs && e->kind == EntryKind::op && how != Resume::back && how != Resume::op && e->frame == from)) {
            passed = id;
            continue;
        }
        if (!land(id, back, stop)) continue;
        passed = 0;
        for (;;) {
            if (ends_here(*shown_)) return true;
            if (back ? past_at_ == 0 : past_at_ + 1 == past_.size()) break;
            past_at_ += back ? -1 : 1;
            show_past(stop);
        }
    }
    if (!back) {
        cursor_ = 0;
        past_.clear();
        stop = present;
        return true;
    }
    if (passed) land(passed, false, stop);
    stop = {StopReason::history, "this is where the history begins", {}, {}};
    return true;
}

}  // namespace fusescope::debug
