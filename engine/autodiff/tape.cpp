#include "engine/autodiff/tape.hpp"

#include <algorithm>

#include "engine/core/debug_hook.hpp"
#include "engine/core/tensor_impl.hpp"
#include "engine/ops/lang.hpp"
#include "fusescope/error.hpp"

namespace fusescope::autodiff {

Tape::Tape(Context& context) : context_(context) {
    context_.tapes.push_back(this);
    context_.update();
}

Tape::~Tape() { stop(); }

void Tape::stop() {
    if (!active_) return;
    active_ = false;
    context_.take_turn();
    std::erase(context_.tapes, this);
    context_.update();
}

void Tape::watch(const Tensor& t) {
    const auto [it, fresh] = tracked_.try_emplace(t.impl(), last_value_ + 1);
    if (fresh) ++last_value_;
    watched_[t.impl()] = it->second;
    keep_.push_back(t);
}

Tape::ValueId Tape::value_of(const Tensor& t) const {
    const auto it = t.defined() ? tracked_.find(t.impl()) : tracked_.end();
    return it == tracked_.end() ? kUntracked : it->second;
}

void Tape::assigning(const Tensor& target, const Tensor& value) {
    Tensor before;
    for (Entry& e : entries_) {
        for (std::vector<Tensor>* handles : {&e.inputs, &e.outputs}) {
            for (Tensor& t : *handles) {
                if (!same(t, target)) continue;
                if (!before.defined()) before = traced_snapshot(context_, target);
                t = before;
            }
        }
    }
    const ValueId id = value_of(value);
    if (id == kUntracked) {
        tracked_.erase(target.impl());
    } else {
        tracked_[target.impl()] = id;
        keep_.push_back(target);
    }
}

void Tape::record(const OpDef& op, std::span<const Tensor> inputs, std::span<const Tensor> outputs,
                  const Attrs& attrs) {
    if (op.grad == kNoGradient || !depends(inputs)) return;
    Entry e;
    e.op = &op;
    e.attrs = attrs;
    add(std::move(e), inputs, outputs);
}

void Tape::record_own(std::span<const Tensor> inputs, std::span<const Tensor> outputs, OwnGradient gradient) {
    if (!depends(inputs)) return;
    Entry e;
    e.own = std::move(gradient);
    add(std::move(e), inputs, outputs);
}

bool Tape::depends(std::span<const Tensor> inputs) const {
    return std::any_of(inputs.begin(), inputs.end(), [&](const Tensor& t) { return value_of(t) != kUntracked; });
}

void Tape::add(Entry e, std::span<const Tensor> inputs, std::span<const Tensor> outputs) {
    for (const Tensor& t : inputs) {
        e.input_ids.push_back(value_of(t));
        e.inputs.push_back(t.defined() && t.impl()->parameter ? traced_snapshot(context_, t) : t);
    }
    for (const Tensor& t : outputs) {
        tracked_[t.impl()] = ++last_value_;
        e.output_ids.push_back(last_value_);
        e.outputs.push_back(t);
    }
    e.frame = context_.recorder || context_.trace ? context_.frame() : 0;
    e.scope = context_.scope;
    entries_.push_back(std::move(e));
}

namespace {

// Backward ops belong to the forward line and Cell that made them necessary.
struct BackwardScope {
    Context& c;
    Phase phase;
    FrameId frame;
    ScopeId scope;
    const OpDef* part_of;
    explicit BackwardScope(Context& context)
        : c(context),
          phase(context.phase),
          frame(context.forced_frame),
          scope(context.scope),
          part_of(context.part_of) {
        c.phase = Phase::backward;
    }
    ~BackwardScope() {
        c.phase = phase;
        c.forced_frame = frame;
        c.scope = scope;
        c.part_of = part_of;
    }
};

}  // namespace

std::vector<Tensor> Tape::gradient(std::span<const Tensor> outputs, std::span<const Tensor> seeds,
                                   std::span<const Tensor> wrt) {
    context_.take_turn();
    stop();
    std::unordered_map<ValueId, Tensor> grads;
    auto accumulate = [&](ValueId id, const Tensor& g) {
        auto [it, fresh] = grads.try_emplace(id, g);
        if (!fresh) it->second = lang::add(it->second, g);
    };
    BackwardScope restore(context_);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const Tensor& y = outputs[i];
        const ValueId id = value_of(y);
        if (!is_float(y.dtype()) || id == kUntracked) continue;
        const bool given = i < seeds.size() && seeds[i].defined();
        accumulate(id, given ? seeds[i] : lang::ones(y.dtype(), y.shape()));
    }
    std::vector<ValueId> wanted;
    for (const Tensor& t : wrt) {
        const auto it = watched_.find(t.impl());
        wanted.push_back(it == watched_.end() ? kUntracked : it->second);
    }
    for (std::size_t k = entries_.size(); k-- > 0;) {
        Entry& e = entries_[k];
        std::vector<Tensor> out_grads(e.outputs.size());
        bool any = false;
        for (std::size_t i = 0; i < e.outputs.size(); ++i) {
            auto it = grads.find(e.output_ids[i]);
            if (it == grads.end()) continue;
            out_grads[i] = std::move(it->second);
            any = true;
            // An output's gradient is complete here: all its users come later in the tape.
            grads.erase(it);
        }
        if (!any) {
            entries_.pop_back();
            continue;
        }
        context_.forced_frame = e.frame;
        context_.scope = e.scope;
        context_.part_of = e.op;
        std::vector<Tensor> in_grads(e.inputs.size());
        auto needs = std::make_unique<bool[]>(e.inputs.size());
        for (std::size_t i = 0; i < e.inputs.size(); ++i) {
            needs[i] = e.input_ids[i] != kUntracked && is_float(e.inputs[i].dtype());
        }
        if (e.own) {
            for (std::size_t i = 0; i < out_grads.size(); ++i) {
                if (!out_grads[i].defined()) out_grads[i] = lang::zeros(e.outputs[i].dtype(), e.outputs[i].shape());
            }
            in_grads = e.own(out_grads);
            in_grads.resize(e.inputs.size());
            context_.take_turn();
        } else {
            GradContext g{*e.op, e.inputs, e.outputs, out_grads, e.attrs, {needs.get(), e.inputs.size()}, in_grads};
            e.op->grad(g);
        }
        for (std::size_t i = 0; i < e.inputs.size(); ++i) {
            if (needs[i] && in_grads[i].defined()) accumulate(e.input_ids[i], in_grads[i]);
        }
        entries_.pop_back();  // frees what this op kept alive
    }
    std::vector<Tensor> result;
    for (std::size_t i = 0; i < wrt.size(); ++i) {
        const auto it = grads.find(wanted[i]);
        result.push_back(it != grads.end() ? it->second : lang::zeros(wrt[i].dtype(), wrt[i].shape()));
    }
    if (DebugHook* hook = context_.hook) {
        for (const Tensor& y : outputs) hook->value_seen(y, "loss");
        for (const Tensor& g : result) hook->value_seen(g, "gradient");
    }
    return result;
}

}  // namespace fusescope::autodiff
