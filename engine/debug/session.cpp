#include "engine/debug/session.hpp"

#include <utility>

#include "engine/core/context.hpp"
#include "engine/core/tensor_impl.hpp"
#include "engine/debug/again.hpp"
#include "engine/exec/unfused.hpp"
#include "engine/exec/watch.hpp"
#include "fusescope/error.hpp"

namespace fusescope::debug {
namespace {

constexpr std::uint8_t kNan = static_cast<std::uint8_t>(HealthBits::nan);
constexpr std::uint8_t kInf = static_cast<std::uint8_t>(HealthBits::inf);

Reach reach_of(std::string_view as) {
    return as == "loss" ? Reach::loss : as == "gradient" ? Reach::gradient : Reach::output;
}

void consume(std::span<const Tensor> inputs) {
    for (const Tensor& t : inputs) {
        if (t.defined()) t.impl()->consumed = true;
    }
}

Tensor parameter_of(const GraphCall& call, std::size_t update) {
    const auto& inputs = call.captured.inputs;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (inputs[i] == call.captured.updates[update].parameter) return call.inputs[i];
    }
    return {};
}

// The ops of a graph, one by one, into the history; births are found by looking at each value.
class Replay final : public OpsAgain {
 public:
    Replay(History& history, Births& births, Checks& checks, EventId event)
        : history_(history), births_(births), checks_(checks), event_(event) {}

    void after_op(const OpCall& call, std::span<const Tensor> outputs, EventId) override {
        births_.count(call.op, call.frame, call.phase);
        for (const Tensor& t : outputs) {
            if (is_float(t.dtype())) exec::look(exec::seen(t));
        }
        const EntryId id = history_.add_op(call, outputs, event_);
        for (const std::uint64_t key : births_.look_at(call, outputs, event_)) {
            keys.push_back(key);
            // Explaining may have made the history drop its oldest entries.
            if (Entry* entry = history_.entry(id)) entry->findings.push_back(key);
        }
        checks_.inside_graph(call, outputs, event_);
    }

    std::vector<std::uint64_t> keys;

 private:
    History& history_;
    Births& births_;
    Checks& checks_;
    EventId event_;
};

}  // namespace

Session::Session(Context& context, HistoryLimits limits)
    : context_(context), history_(context, limits), births_(context, history_), checks_(context, history_) {
    context_.hook = this;
    context_.update();
}

Session::~Session() {
    context_.hook = nullptr;
    context_.update();
}

void Session::before_op(const OpCall&) {}

void Session::after_op(const OpCall& call, std::span<const Tensor> outputs, EventId event) {
    births_.count(call.op, call.frame, call.phase);
    const EntryId id = history_.add_op(call, outputs, event);
    consume(call.inputs);
    for (const std::uint64_t key : births_.look_at(call, outputs, event)) {
        if (Entry* entry = history_.entry(id)) entry->findings.push_back(key);
    }
    checks_.after_op(call, outputs, event);
    if (births_.empty()) return;
    for (std::size_t i = 0; i < call.op.schema.traits.writes; ++i) {
        if (outputs[i].impl()->health & (kNan | kInf)) {
            births_.reached(outputs[i].impl()->history, Reach::parameter, call.frame);
        }
    }
}

void Session::born(const BirthSite& site) {
    if (!graphs_.empty()) graphs_.back().flagged.push_back({site.node, site.event, site.nan, site.carried});
}

void Session::before_graph(const GraphCall& call) {
    Running run;
    for (const Tensor& t : call.inputs) {
        run.inputs.push_back(history_.value_of(t));
        // Only for a replay: what holds a Parameter's value keeps it from being written in place.
        if (looks_for_births(context_.watch)) run.values.push_back(stored_tensor(t));
    }
    run.random_op = context_.random_ops;
    graphs_.push_back(std::move(run));
    checks_.before_graph(call);
}

void Session::after_graph(const GraphCall& call, std::span<const Tensor> outputs) {
    Running run = std::move(graphs_.back());
    graphs_.pop_back();
    consume(call.inputs);
    if (run.flagged.empty()) flag_results(call, outputs, run.flagged);
    std::vector<std::uint64_t> keys;
    bool closely = false;
    for (const Flagged& f : run.flagged) {
        Inside& known = inside_[{f.node, f.nan}];
        // What is met again and again is looked at less and less often: another op may have joined in.
        closely = closely || ++known.met <= 4 || (known.met & (known.met - 1)) == 0;
        keys.insert(keys.end(), known.keys.begin(), known.keys.end());
    }
    if (closely) {
        keys = explain_inside(call, run, &outputs);
        for (const Flagged& f : run.flagged) inside_[{f.node, f.nan}].keys = keys;
    } else {
        births_.met_again(keys);
        for (const ir::NodePtr& n : call.captured.nodes) {
            if (n->op) births_.count(*n->op, n->frame, n->phase);
        }
        std::vector<Tensor> values(outputs.begin(), outputs.end());
        for (std::size_t u = 0; u < call.captured.updates.size(); ++u) values.push_back(parameter_of(call, u));
        const EntryId id = history_.add_graph(call, run.inputs, run.random_op, values);
        if (Entry* entry = history_.entry(id)) {
            for (std::uint64_t key : keys) entry->findings.push_back(key);
        }
    }
    if (births_.empty()) return;
    for (std::size_t u = 0; u < call.captured.updates.size(); ++u) {
        const Tensor parameter = parameter_of(call, u);
        if (parameter.impl()->health & (kNan | kInf)) {
            births_.reached(parameter.impl()->history, Reach::parameter, call.captured.updates[u].value.node->frame);
        }
    }
}

void Session::graph_threw(const GraphCall& call) {
    const Running run = std::move(graphs_.back());
    graphs_.pop_back();
    consume(call.inputs);
    if (!run.flagged.empty()) explain_inside(call, run, nullptr);
}

// A value that was computed when the graph was compiled comes out of no node that runs.
void Session::flag_results(const GraphCall& call, std::span<const Tensor> outputs, std::vector<Flagged>& flagged) {
    if (!looks_for_births(context_.watch)) return;
    const auto flag = [&](const Tensor& t, const ir::Value& made) {
        if (!is_float(t.dtype())) return;
        // The run has just looked at what its nodes made, also when that is a Parameter's new value.
        const std::uint8_t bits = t.impl()->health ? t.impl()->health : exec::look(exec::seen(t));
        if (bits & kNan) flagged.push_back({made.node->id, 0, true, false});
        if (bits & kInf) flagged.push_back({made.node->id, 0, false, false});
    };
    for (std::size_t o = 0; o < outputs.size(); ++o) flag(outputs[o], call.captured.outputs[o]);
    for (std::size_t u = 0; u < call.captured.updates.size(); ++u) {
        flag(parameter_of(call, u), call.captured.updates[u].value);
    }
}

// The step again, op by op, from the values it began with.
std::vector<std::uint64_t> Session::explain_inside(const GraphCall& call, const Running& run,
                                                   const std::span<const Tensor>* outputs) {
    if (run.values.size() != call.captured.inputs.size()) return {};
    Replay inside(history_, births_, checks_, run.flagged.front().event);
    try {
        const Again again(context_, context_.seed, run.random_op, &inside);
        exec::UnfusedRun replay(context_, call.captured, run.values, false);
        replay.all();
        // The results are those of the replay: what comes later is followed back through its ops.
        const std::vector<Tensor> made = replay.outputs(), updates = replay.updates();
        for (std::size_t i = 0; outputs && i < outputs->size(); ++i) {
            (*outputs)[i].impl()->history = history_.value_of(made[i]);
            (*outputs)[i].impl()->health = made[i].impl()->health;
        }
        for (std::size_t u = 0; outputs && u < updates.size(); ++u) {
            const Tensor parameter = parameter_of(call, u);
            parameter.impl()->history = history_.value_of(updates[u]);
            parameter.impl()->health = updates[u].impl()->health;
        }
    } catch (const UserError&) {
        // The run itself threw there; what was born before it has been found.
    }
    return std::move(inside.keys);
}

void Session::input_made(const Tensor& made) {
    const FrameId frame = context_.frame();
    const EntryId id = history_.add_input(made, frame);
    if (!(made.impl()->health & kNan)) return;
    const std::uint64_t key = births_.add_input(made, frame);
    if (Entry* entry = history_.entry(id)) entry->findings.push_back(key);
}

void Session::input_overflowed(const Tensor& made, const Overflowed& data) {
    input_made(made);
    const Value* v = history_.value(made.impl()->history);
    const std::uint64_t key = births_.add_overflowed_input(made, data, context_.frame());
    if (Entry* entry = v ? history_.entry(v->made_by) : nullptr) entry->findings.push_back(key);
}

void Session::value_seen(const Tensor& value, std::string_view as) {
    if (births_.empty() || value.is_pending() || !is_float(value.dtype())) return;
    if (!(exec::look(exec::seen(value)) & (kNan | kInf))) return;
    births_.reached(history_.value_of(value), reach_of(as), context_.frame());
}

void Session::program_ended(std::span<const Tensor> left) {
    for (const Tensor& t : left) {
        if (!t.is_pending() && !t.impl()->consumed) value_seen(t, "output");
    }
    births_.finish();
    checks_.finish();
}

}  // namespace fusescope::debug
