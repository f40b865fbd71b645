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
class Inside final : public DebugHook {
 public:
    Inside(History& history, Births& births, Checks& checks, EventId event)
        : history_(history), births_(births), checks_(checks), event_(event) {}

    void before_op(const OpCall&) override {}
    void after_op(const OpCall& call, std::span<const Tensor> outputs, EventId) override {
        births_.count(call.op, call.frame, call.phase);
        std::uint8_t before = 0;
        for (const Tensor& t : call.inputs) {
            if (t.defined() && is_float(t.dtype())) before |= exec::look(exec::seen(t));
        }
        for (const Tensor& t : outputs) {
            if (is_float(t.dtype())) exec::look(exec::seen(t));
        }
        const EntryId id = history_.add_op(call, outputs, event_);
        for (std::size_t o = 0; o < outputs.size(); ++o) {
            const std::uint8_t bits = is_float(outputs[o].dtype()) ? outputs[o].impl()->health : 0;
            const bool nan = (bits & kNan) && !(before & kNan);
            if (!nan && (call.inputs.empty() || !(bits & kInf) || (before & (kNan | kInf)))) continue;
            keys.push_back(births_.add(call, outputs[o], o, event_, nan));
            // Explaining may have made the history drop its oldest entries.
            if (Entry* entry = history_.entry(id)) entry->findings.push_back(keys.back());
        }
        checks_.inside_graph(call, outputs, event_);
    }
    void born(const BirthSite&) override {}
    bool op_by_op() const noexcept override { return true; }
    void before_graph(const GraphCall&) override {}
    void after_graph(const GraphCall&, std::span<const Tensor>) override {}
    void input_made(const Tensor&) override {}
    void value_seen(const Tensor&, std::string_view) override {}

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

void Session::before_op(const OpCall&) { flagged_.clear(); }

void Session::after_op(const OpCall& call, std::span<const Tensor> outputs, EventId event) {
    births_.count(call.op, call.frame, call.phase);
    const EntryId id = history_.add_op(call, outputs, event);
    consume(call.inputs);
    for (const Flagged& f : flagged_) {
        const std::uint64_t key = births_.add(call, outputs[f.output], f.output, event, f.nan);
        if (Entry* entry = history_.entry(id)) entry->findings.push_back(key);
    }
    flagged_.clear();
    checks_.after_op(call, outputs, event);
    if (births_.empty()) return;
    for (std::size_t i = 0; i < call.op.schema.traits.writes; ++i) {
        if (outputs[i].impl()->health & (kNan | kInf)) {
            births_.reached(outputs[i].impl()->history, Reach::parameter, call.frame);
        }
    }
}

void Session::born(const BirthSite& site) {
    const Flagged f{site.node, site.event, site.output, site.nan};
    (graphs_.empty() ? flagged_ : graphs_.back().flagged).push_back(f);
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
    const Running run = std::move(graphs_.back());
    graphs_.pop_back();
    consume(call.inputs);
    std::vector<std::uint64_t> keys;
    bool fresh = false;
    for (const Flagged& f : run.flagged) {
        const auto known = inside_.find({f.node, f.nan});
        if (known == inside_.end()) {
            fresh = true;
        } else {
            keys.insert(keys.end(), known->second.begin(), known->second.end());
        }
    }
    if (fresh) {
        keys = explain_inside(call, run, outputs);
        for (const Flagged& f : run.flagged) inside_.try_emplace({f.node, f.nan}, keys);
    } else if (outputs.data() != nullptr) {
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
    if (births_.empty() || outputs.data() == nullptr) return;
    for (std::size_t u = 0; u < call.captured.updates.size(); ++u) {
        const Tensor parameter = parameter_of(call, u);
        if (parameter.impl()->health & (kNan | kInf)) {
            births_.reached(parameter.impl()->history, Reach::parameter, call.captured.updates[u].value.node->frame);
        }
    }
}

// The step again, op by op, from the values it began with.
std::vector<std::uint64_t> Session::explain_inside(const GraphCall& call, const Running& run,
                                                   std::span<const Tensor> outputs) {
    if (run.values.size() != call.captured.inputs.size()) return {};
    Inside inside(history_, births_, checks_, run.flagged.front().event);
    try {
        const Again again(context_, context_.seed, run.random_op, &inside);
        exec::UnfusedRun replay(context_, call.captured, run.values, false);
        replay.all();
        // The results are those of the replay: what comes later is followed back through its ops.
        const std::vector<Tensor> made = replay.outputs(), updates = replay.updates();
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            outputs[i].impl()->history = history_.value_of(made[i]);
            outputs[i].impl()->health = made[i].impl()->health;
        }
        for (std::size_t u = 0; u < updates.size() && outputs.data() != nullptr; ++u) {
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
