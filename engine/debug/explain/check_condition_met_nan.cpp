// A loop that ends, or a branch that is not taken, because a comparison met NaN: every comparison with NaN is False, so
// `while error > limit` stops as if the limit had been reached.
#include <algorithm>
#include <cmath>

#include "engine/core/tensor_impl.hpp"
#include "engine/debug/again.hpp"
#include "engine/debug/element.hpp"
#include "engine/debug/explain/checks.hpp"
#include "engine/exec/unfused.hpp"
#include "engine/exec/watch.hpp"
#include "engine/ops/op_ids.hpp"
#include "fusescope/error.hpp"

namespace fusescope::debug {
namespace {

constexpr std::uint8_t kNan = static_cast<std::uint8_t>(HealthBits::nan);

// Catches the comparisons that meet NaN while a graph is run again op by op.
class Watcher final : public OpsAgain {
 public:
    struct Met {
        const OpDef* op;
        FrameId frame;
        Tensor operand;
    };
    void after_op(const OpCall& call, std::span<const Tensor>, EventId) override {
        if (!is_comparison(call.op)) return;
        for (const Tensor& t : call.inputs) {
            if (!t.defined() || !is_float(t.dtype()) || !(exec::look(exec::seen(t)) & kNan)) continue;
            met.push_back({&call.op, call.frame, t});
            return;
        }
    }

    std::vector<Met> met;
};

struct Found {
    const Entry* comparison = nullptr;
    const Entry* graph = nullptr;  ///< a graph that made the value as a whole
    ValueId operand = 0;
};

// Back from a truth through truths to a comparison with NaN.
Found behind(History& history, ValueId id) {
    constexpr std::size_t kMost = 64;
    std::vector<ValueId> open{id};
    for (std::size_t at = 0; at < open.size() && at < kMost; ++at) {
        const Value* v = history.value(open[at]);
        const Entry* e = v ? history.entry(v->made_by) : nullptr;
        if (!e || e->kind == EntryKind::input) continue;
        if (e->kind == EntryKind::graph) return {nullptr, e, 0};
        for (ValueId in : e->inputs) {
            const Value* operand = history.value(in);
            if (!operand) continue;
            if (is_comparison(*e->op) && (operand->health & kNan)) return {e, nullptr, in};
            const bool truth = operand->type.dtype == DType::Bool;
            if (truth && std::find(open.begin(), open.end(), in) == open.end()) open.push_back(in);
        }
    }
    return {};
}

}  // namespace

bool is_comparison(const OpDef& op) {
    return op.id == op::less || op.id == op::less_equal || op.id == op::greater || op.id == op::greater_equal;
}

void Checks::tell_nan_condition(const OpDef& op, FrameId frame, FrameId asked, const Tensor& operand) {
    Finding f;
    f.kind = FindingKind::suspicious;
    f.rule = "condition_met_nan";
    f.op = op.name();
    f.frame = frame ? frame : asked;
    f.phase = context_.phase;
    if (operand.defined()) {
        std::int64_t at = 0;
        while (at < operand.count() && !std::isnan(number_at(operand, at))) ++at;
        if (at < operand.count()) {
            f.index = index_of(at, operand.shape());
            f.has_index = true;
        }
        f.shapes = {to_string(operand.shape())};
    }
    const auto turns = true_answers_.find(context_.line_of ? context_.line_of(asked) : asked);
    if (turns != true_answers_.end()) f.arguments = {{"turns", std::to_string(turns->second)}};
    say(std::move(f));
}

void Checks::find_nan_comparison(const ir::Graph& graph, std::span<const Tensor> inputs, FrameId asked) {
    Watcher watcher;
    try {
        const Again again(context_, context_.seed, context_.random_ops, &watcher);
        exec::UnfusedRun run(context_, graph, inputs, false);
        run.all();
    } catch (const UserError&) {
        return;
    }
    // The last one is nearest to the answer.
    if (watcher.met.empty()) return;
    const Watcher::Met& m = watcher.met.back();
    tell_nan_condition(*m.op, m.frame, asked, m.operand);
}

void Checks::asked_truth(const Tensor& t, bool answer) {
    const FrameId frame = context_.frame();
    const FrameId line = context_.line_of ? context_.line_of(frame) : frame;
    if (answer) {
        ++true_answers_[line];
        return;
    }
    if (t.dtype() != DType::Bool) return;
    const Found found = behind(history_, history_.value_of(t));
    if (found.comparison) {
        tell_nan_condition(*found.comparison->op, found.comparison->frame, frame, history_.materialize(found.operand));
    } else if (found.graph && found.graph->graph) {
        // The comparison is inside; the graph is run again to see it, but not for ever.
        constexpr int kMost = 8;
        if (++searched_[line] > kMost) return;
        const std::shared_ptr<const ir::Graph> graph = found.graph->graph;
        std::vector<Tensor> inputs;
        for (ValueId in : found.graph->inputs) {
            inputs.push_back(history_.materialize(in));
            if (!inputs.back().defined()) return;
        }
        find_nan_comparison(*graph, inputs, frame);
    }
}

void Checks::loop_ended(const ir::Graph& condition, std::span<const Tensor> inputs) {
    find_nan_comparison(condition, inputs, context_.frame());
}

}  // namespace fusescope::debug
