#include "engine/debug/history.hpp"

#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <utility>

#include "engine/core/context.hpp"
#include "engine/core/tensor_impl.hpp"
#include "engine/debug/again.hpp"
#include "engine/exec/dispatch.hpp"
#include "engine/exec/unfused.hpp"

namespace fusescope::debug {
namespace {

/// Values up to so many bytes cost nothing worth saving: they are kept until the budget is used up.
constexpr std::size_t kSmall = 1 << 14;

}  // namespace
void History::add_value(const Tensor& t, bool keeps_large) {
    Value v;
    v.made_by = first_entry_ + entries_.size() - 1;
    v.type = t.type();
    v.health = t.impl()->health;
    const ValueId id = first_value_ + values_.size();
    const std::size_t bytes = v.type.bytes();
    t.impl()->history = id;
    if (limits_.copy_up_to == 0) {
        v.kept = bytes <= kSmall || keeps_large;
        if (v.kept) {
            v.tensor = stored_tensor(t);
            v.tensor.impl()->history = id;
        }
    } else if (bytes <= limits_.copy_up_to) {
        v.kept = true;
        v.copy = std::make_unique_for_overwrite<std::byte[]>(bytes);
        if (bytes) std::memcpy(v.copy.get(), t.impl()->raw(), bytes);
    }
    if (v.kept) kept_bytes_ += bytes;
    values_.push_back(std::move(v));
}

EntryId History::finish_entry(Entry e, std::span<const Tensor> outputs) {
    e.first_output = first_value_ + values_.size();
    e.outputs = static_cast<std::uint32_t>(outputs.size());
    const EntryId id = first_entry_ + entries_.size();
    entries_.push_back(std::move(e));
    const bool keeps_large = !limits_.recompute || stays(entries_.back(), id);
    for (const Tensor& t : outputs) add_value(t, keeps_large);
    if (kept_bytes_ > limits_.bytes || entries_.size() > limits_.entries) stay_within_limits();
    return last();
}

EntryId History::add_op(const OpCall& call, std::span<const Tensor> outputs, EventId event) {
    Entry e;
    e.op = &call.op;
    e.attrs = call.attrs;
    for (const Tensor& t : call.inputs) e.inputs.push_back(value_of(t));
    e.frame = call.frame;
    e.scope = call.scope;
    e.phase = call.phase;
    e.part_of = call.part_of;
    e.step = context_.step;
    e.event = event;
    e.node = call.node ? call.node->id : 0;
    e.seed = context_.seed;
    e.random_op = call.random_op;
    return finish_entry(std::move(e), outputs);
}

EntryId History::add_input(const Tensor& made, FrameId frame) {
    Entry e;
    e.kind = EntryKind::input;
    e.phase = Phase::input;
    e.number = made.impl()->number;
    e.frame = frame;
    e.step = context_.step;
    return finish_entry(std::move(e), {&made, 1});
}

EntryId History::add_graph(const GraphCall& call, std::span<const ValueId> inputs, std::uint64_t random_op,
                           std::span<const Tensor> outputs) {
    Entry e;
    e.kind = EntryKind::graph;
    e.inputs = SmallVector<ValueId, 4>(inputs);
    e.frame = call.captured.frame;
    e.step = context_.step;
    e.seed = context_.seed;
    e.random_op = random_op;
    e.graph = {call.owner, &call.captured};
    e.graph_number = graphs_++;
    return finish_entry(std::move(e), outputs);
}

ValueId History::value_of(const Tensor& t) {
    if (!t.defined() || !t.impl()->storage) return 0;
    const ValueId known = t.impl()->history;
    if (known >= first_value_ && known < first_value_ + values_.size()) return known;
    add_input(t, 0);
    return t.impl()->history;
}

const Entry* History::entry(EntryId id) const noexcept {
    return id < first_entry_ || id - first_entry_ >= entries_.size() ? nullptr : &entries_[id - first_entry_];
}
Entry* History::entry(EntryId id) noexcept { return const_cast<Entry*>(std::as_const(*this).entry(id)); }
const Value* History::value(ValueId id) const noexcept {
    return id < first_value_ || id - first_value_ >= values_.size() ? nullptr : &values_[id - first_value_];
}
bool History::is_kept(ValueId id) const noexcept {
    const Value* v = value(id);
    return v && v->kept;
}

void History::let_go(Value& v) noexcept {
    if (!v.kept) return;
    v.kept = false;
    kept_bytes_ -= v.type.bytes();
    v.tensor = Tensor();
    v.copy.reset();
}

// Where computing again begins: the program's data, what cannot be repeated, every so many ops, and all Parameters
// every so many steps, for a chain of updates is as long as the program.
bool History::stays(const Entry& e, EntryId id) const noexcept {
    if (e.kind == EntryKind::input) return true;
    if (e.kind == EntryKind::graph) return e.graph_number % steps_between_ == 0;
    if (e.op->schema.traits.host_value) return true;
    return e.op->schema.traits.writes ? e.step % steps_between_ == 0 : id % stride_ == 0;
}

bool History::cheap_again(const Value& v) const noexcept {
    const Entry* e = entry(v.made_by);
    if (!e || stays(*e, v.made_by)) return false;
    return std::all_of(e->inputs.begin(), e->inputs.end(), [&](ValueId in) { return in == 0 || value(in) != nullptr; });
}

void History::stay_within_limits() {
    // Down to seven eighths at once, so that the next op does not begin again.
    const std::size_t bytes = limits_.bytes / 8 * 7;
    while (limits_.recompute && kept_bytes_ > bytes) {
        sweep_ = std::max(sweep_, first_value_);
        const ValueId end = first_value_ + values_.size();
        for (; kept_bytes_ > bytes && sweep_ < end; ++sweep_) {
            Value& v = values_[sweep_ - first_value_];
            // One in so many stays, so that computing again never has far to go.
            if (cheap_again(v)) let_go(v);
        }
        if (sweep_ < end) break;
        if (stride_ > entries_.size()) break;
        stride_ *= 2;
        steps_between_ *= 2;
        sweep_ = first_value_;
    }
    while (entries_.size() > 1 && (kept_bytes_ > bytes || entries_.size() > limits_.entries)) {
        for (std::uint32_t i = 0; i < entries_.front().outputs; ++i) {
            let_go(values_.front());
            values_.pop_front();
            ++first_value_;
        }
        entries_.pop_front();
        ++first_entry_;
    }
}

bool History::run_again(const Entry& e) {
    std::vector<Tensor> in;
    for (ValueId id : e.inputs) in.push_back(id ? values_[id - first_value_].tensor : Tensor());
    std::vector<Tensor> out;
    {
        const Again again(context_, e.seed, e.random_op);
        if (e.kind == EntryKind::graph) {
            exec::UnfusedRun run(context_, *e.graph, in, false);
            run.all();
            out = run.outputs();
            for (Tensor& t : run.updates()) out.push_back(std::move(t));
        } else {
            std::vector<TensorType> types;
            for (std::uint32_t i = 0; i < e.outputs; ++i) types.push_back(value(e.first_output + i)->type);
            const OpCall call{*e.op, e.attrs, in, types, e.frame, e.scope, e.phase, e.part_of, nullptr, e.random_op};
            exec::compute(context_, call, out);
        }
    }
    for (std::uint32_t i = 0; i < e.outputs && i < out.size(); ++i) {
        Value& v = values_[e.first_output + i - first_value_];
        if (v.kept) continue;
        v.kept = true;
        v.tensor = stored_tensor(out[i]);
        v.tensor.impl()->history = e.first_output + i;
        kept_bytes_ += v.type.bytes();
    }
    return out.size() >= e.outputs;
}

// The entries that `wanted` needs and that are not kept; false when one of them cannot run again. By hand and not by
// calls: a chain of thousands of ops must not use up the stack.
bool History::collect(ValueId wanted, std::set<EntryId>& needed) const {
    std::vector<ValueId> open{wanted};
    while (!open.empty()) {
        const Value* v = value(open.back());
        open.pop_back();
        if (!v) return false;
        if (v->kept) continue;
        const Entry* e = entry(v->made_by);
        if (!e || e->kind == EntryKind::input || limits_.copy_up_to != 0) return false;
        if (!needed.insert(v->made_by).second) continue;
        for (ValueId in : e->inputs) {
            if (in != 0) open.push_back(in);
        }
    }
    return true;
}

Tensor History::materialize(ValueId wanted) {
    std::set<EntryId> needed;  // operands have smaller numbers than results: this is the order of running
    if (!collect(wanted, needed)) return {};
    std::unordered_map<ValueId, std::uint32_t> uses;  // yet to come
    for (EntryId id : needed) {
        for (ValueId in : entry(id)->inputs) ++uses[in];
    }
    // What is made on the way goes as soon as nothing needs it and there is no room for it.
    std::vector<ValueId> made;
    const auto drop = [&](ValueId id) {
        Value* v = const_cast<Value*>(value(id));
        if (id != wanted && v && kept_bytes_ > limits_.bytes && cheap_again(*v)) let_go(*v);
    };
    for (EntryId id : needed) {
        const Entry& e = *entry(id);
        for (std::uint32_t i = 0; i < e.outputs; ++i) {
            if (!is_kept(e.first_output + i)) made.push_back(e.first_output + i);
        }
        const bool ran = run_again(e);
        for (ValueId in : e.inputs) {
            const auto left = uses.find(in);
            if (in == 0 || --left->second > 0) continue;
            if (const Value* v = value(in); needed.contains(v->made_by)) drop(in);
        }
        if (!ran) return {};
    }
    const Value& v = values_[wanted - first_value_];
    if (v.copy) {
        Tensor t = make_tensor(v.type.dtype, v.type.shape, context_.device);
        if (const std::size_t bytes = v.type.bytes()) std::memcpy(t.impl()->raw(), v.copy.get(), bytes);
        t.impl()->history = wanted;
        t.impl()->health = v.health;
        return t;
    }
    const Tensor t = v.tensor;
    if (kept_bytes_ > limits_.bytes) {
        for (ValueId id : made) {
            Value& m = values_[id - first_value_];
            if (cheap_again(m)) let_go(m);
        }
    }
    return t;
}

void History::clear() {
    first_entry_ += entries_.size();
    first_value_ += values_.size();
    entries_.clear();
    values_.clear();
    kept_bytes_ = 0;
}

}  // namespace fusescope::debug
