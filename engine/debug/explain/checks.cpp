#include "engine/debug/explain/checks.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "engine/core/tensor_impl.hpp"
#include "engine/debug/again.hpp"
#include "engine/exec/dispatch.hpp"
#include "engine/ops/op_ids.hpp"
#include "fusescope/error.hpp"

namespace fusescope::debug {
namespace {

using Check = void (*)(Checks&, const Checked&);
constexpr Check kOfTypes[] = {check_broadcast_enlarges, check_softmax_of_one, check_number_vanishes};
constexpr Check kOfValues[] = {check_inf_absorbed, check_int_wraps, check_labels_ignored, check_label_range};

std::vector<TensorType> types_of(std::span<const Tensor> tensors) {
    std::vector<TensorType> types;
    for (const Tensor& t : tensors) types.push_back(t.defined() ? t.type() : TensorType());
    return types;
}

std::vector<TensorType> input_types(const ir::Node& n) {
    std::vector<TensorType> types;
    for (const ir::Value& v : n.inputs) types.push_back(v.node ? v.type() : TensorType());
    return types;
}

bool whole_number(const TensorType& t) { return !is_float(t.dtype); }

}  // namespace

void Checks::say(const Checked& at, Finding f) {
    if (f.op.empty()) f.op = at.op.name();
    f.frame = at.frame;
    f.phase = at.phase;
    f.op_event = at.event;
    if (f.shapes.empty()) {
        for (const TensorType& t : at.inputs) f.shapes.push_back(to_string(t.shape));
    }
    say(std::move(f));
}

void Checks::say(Finding f) {
    const FrameId line = context_.line_of ? context_.line_of(f.frame) : f.frame;
    const auto [at, fresh] = by_place_.try_emplace({f.rule, f.op, line, f.phase}, findings_.size());
    if (!fresh) {
        ++findings_[at->second].occurrences;
        return;
    }
    f.key = new_finding_key();
    f.step = context_.step;
    if (recorder_) recorder_->finding(f);
    findings_.push_back(std::move(f));
}

void Checks::finish() {
    for (const Finding& f : findings_) {
        if (f.occurrences > 1 && recorder_) recorder_->finding(f);
    }
}

void Checks::after_op(const OpCall& call, std::span<const Tensor> outputs, EventId event) {
    if (call.results.empty()) return;
    const std::vector<TensorType> types = types_of(call.inputs);
    const Checked c{call.op, call.attrs, types, call.results[0], call.inputs, outputs, call.frame, call.phase, event};
    if (call.phase == Phase::forward) {
        for (Check check : kOfTypes) check(*this, c);
    }
    for (Check check : kOfValues) check(*this, c);
}

void Checks::inside_graph(const OpCall& call, std::span<const Tensor> outputs, EventId event) {
    if (call.results.empty()) return;
    const std::vector<TensorType> types = types_of(call.inputs);
    check_inf_absorbed(
        *this, {call.op, call.attrs, types, call.results[0], call.inputs, outputs, call.frame, call.phase, event});
}

Checks::GraphFacts Checks::look_at_types(const ir::Graph& graph) {
    GraphFacts facts;
    for (const ir::NodePtr& n : graph.nodes) {
        for (const ir::GraphPtr& region : n->regions) look_at_types(*region);
        if (n->kind != ir::NodeKind::op || n->types.empty()) continue;
        const std::vector<TensorType> types = input_types(*n);
        if (n->phase == Phase::forward) {
            const Checked c{*n->op, n->attrs, types, n->types[0], {}, {}, n->frame, n->phase, 0, n.get()};
            for (Check check : kOfTypes) check(*this, c);
        }
        if (computes_ints(*n->op, types, n->types[0])) facts.ints.push_back(n.get());
        if (n->op->id == op::label_mask) facts.labels.push_back(n.get());
    }
    return facts;
}

void Checks::before_graph(const GraphCall& call) {
    if (call.id == 0) return;  // nothing records
    const auto [at, fresh] = graphs_.try_emplace(call.id);
    if (fresh) at->second = look_at_types(call.captured);
    GraphFacts& facts = at->second;
    ++facts.runs;
    if (facts.ints.empty() && facts.labels.empty()) return;
    std::vector<const ir::Node*> wanted = facts.labels;
    if (!facts.ints.empty()) {
        for (const ir::Node* n : nodes_that_may_wrap(call.captured, call.inputs, facts.ints)) wanted.push_back(n);
    }
    if (wanted.empty()) return;
    // What costs much is looked at in the first runs, and then less and less often.
    const bool always = facts.runs <= 4 || (facts.runs & (facts.runs - 1)) == 0;
    values_of(call, wanted, always);
}

// Computes some nodes of a graph from its inputs, apart from the run itself, and looks at their values. `always` false:
// only when whole numbers, and few, are all it takes.
void Checks::values_of(const GraphCall& call, std::span<const ir::Node* const> wanted, bool always) {
    constexpr std::int64_t kFew = 1 << 16;
    std::unordered_set<const ir::Node*> needed(wanted.begin(), wanted.end());
    std::int64_t elements = 0;
    bool whole = true;
    const auto& nodes = call.captured.nodes;
    for (auto n = nodes.rbegin(); n != nodes.rend(); ++n) {
        if (!needed.count(n->get())) continue;
        if ((*n)->kind == ir::NodeKind::constant) continue;
        if ((*n)->kind != ir::NodeKind::op) return;
        const Traits& traits = (*n)->op->schema.traits;
        if (traits.random || traits.effect || traits.writes || traits.host_value) return;
        elements += (*n)->types[0].shape.count();
        for (const ir::Value& v : (*n)->inputs) {
            if (!v.node) continue;
            whole = whole && whole_number(v.type());
            elements += v.node->leaf() ? v.type().shape.count() : 0;
            needed.insert(v.node.get());
        }
    }
    if (!always && (!whole || elements > kFew)) return;
    std::unordered_map<const ir::Node*, std::vector<Tensor>> made;
    for (std::size_t i = 0; i < call.inputs.size(); ++i) made[call.captured.inputs[i].get()] = {call.inputs[i]};
    const Again again(context_, context_.seed, context_.random_ops);
    for (const ir::NodePtr& n : nodes) {
        if (!needed.count(n.get())) continue;
        if (n->kind == ir::NodeKind::constant) {
            made[n.get()] = {n->value};
            continue;
        }
        std::vector<Tensor> in;
        for (const ir::Value& v : n->inputs) in.push_back(v.node ? made.at(v.node.get())[v.index] : Tensor());
        std::vector<Tensor>& out = made[n.get()];
        const OpCall one{*n->op, n->attrs, in, n->types, n->frame, n->scope, n->phase, n->part_of, n.get(), 0};
        try {
            exec::compute(context_, one, out);
        } catch (const UserError&) {
            return;  // the run itself will say so
        }
        if (std::find(wanted.begin(), wanted.end(), n.get()) == wanted.end()) continue;
        const std::vector<TensorType> types = input_types(*n);
        const Checked c{*n->op, n->attrs, types, n->types[0], in, out, n->frame, n->phase, 0};
        check_int_wraps(*this, c);
        check_labels_ignored(*this, c);
        check_label_range(*this, c);
    }
}

}  // namespace fusescope::debug
