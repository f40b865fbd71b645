#include "engine/trace/trace.hpp"

#include <algorithm>
#include <bit>
#include <list>
#include <utility>

#include "engine/exec/compiler.hpp"
#include "engine/exec/dispatch.hpp"
#include "engine/exec/producers.hpp"
#include "engine/ops/op_ids.hpp"
#include "fusescope/error.hpp"

namespace fusescope::trace {
namespace {

// Compiled segments, least recently used last.
class SegmentCache {
 public:
    struct Entry {
        Fingerprint key;
        std::shared_ptr<exec::Executable> executable;
        GraphId graph = 0;
    };

    Entry* find(const Fingerprint& key) {
        auto it = by_hash_.find(hash(key));
        if (it == by_hash_.end()) return nullptr;
        for (auto e : it->second) {
            if (e->key == key) {
                entries_.splice(entries_.begin(), entries_, e);
                return &*e;
            }
        }
        return nullptr;
    }
    Entry* insert(Entry entry) {
        entries_.push_front(std::move(entry));
        by_hash_[hash(entries_.front().key)].push_back(entries_.begin());
        if (entries_.size() > kSegmentCache) {
            auto last = std::prev(entries_.end());
            auto& bucket = by_hash_[hash(last->key)];
            std::erase(bucket, last);
            if (bucket.empty()) by_hash_.erase(hash(last->key));
            entries_.erase(last);
        }
        return &entries_.front();
    }

 private:
    static std::size_t hash(const Fingerprint& key) noexcept {
        std::uint64_t h = key.size();
        for (std::uint64_t w : key) h = (h ^ w) * 0x9e3779b97f4a7c15ull, h ^= h >> 29;
        return h;
    }
    std::list<Entry> entries_;
    std::unordered_map<std::size_t, std::vector<std::list<Entry>::iterator>> by_hash_;
};

SegmentCache& segments() {
    thread_local SegmentCache cache;
    return cache;
}

void put_type(Fingerprint& f, const TensorType& t) {
    f.push_back(static_cast<std::uint64_t>(t.dtype) << 32 | static_cast<std::uint64_t>(t.shape.size()));
    for (std::int64_t extent : t.shape) f.push_back(static_cast<std::uint64_t>(extent));
}

void put_text(Fingerprint& f, const std::string& text) {
    f.push_back(text.size());
    for (std::size_t i = 0; i < text.size(); i += 8) {
        std::uint64_t word = 0;
        for (std::size_t k = i; k < text.size() && k < i + 8; ++k)
            word = word << 8 | static_cast<unsigned char>(text[k]);
        f.push_back(word);
    }
}

void put_attrs(Fingerprint& f, const Attrs& attrs) {
    f.push_back(attrs.size());
    for (const AttrValue& v : attrs.values()) {
        f.push_back(v.index());
        if (auto* b = std::get_if<bool>(&v)) f.push_back(*b);
        if (auto* i = std::get_if<std::int64_t>(&v)) f.push_back(static_cast<std::uint64_t>(*i));
        if (auto* d = std::get_if<double>(&v)) f.push_back(std::bit_cast<std::uint64_t>(*d));
        if (auto* s = std::get_if<std::string>(&v)) put_text(f, *s);
        if (auto* t = std::get_if<DType>(&v)) f.push_back(static_cast<std::uint64_t>(*t));
        if (auto* ints = std::get_if<Ints>(&v)) {
            f.push_back(ints->size());
            for (std::int64_t i : *ints) f.push_back(static_cast<std::uint64_t>(i));
        }
    }
}

void put_bytes(Fingerprint& f, const Tensor& t) {
    const auto* p = static_cast<const unsigned char*>(t.impl()->raw());
    const std::size_t n = t.type().bytes();
    put_text(f, std::string(reinterpret_cast<const char*>(p), n));
}

}  // namespace

std::string break_reason(TransferReason reason) {
    switch (reason) {
        case TransferReason::print:
            return "a tensor was printed";
        case TransferReason::read_back:
            return "Python needed a tensor's value";
        default:
            return "an op outside the graph needed a tensor's value";
    }
}

Trace::Trace(Context& context, std::string name) : context_(context), name_(std::move(name)) {}

Trace::~Trace() { abandon(); }

Ref Trace::ref_of(const Tensor& t) {
    TensorImpl* impl = t.impl();
    if (impl->pending == this) {
        const ValueInfo& v = values_[impl->pending_index];
        return {Ref::Kind::record, v.record, v.output};
    }
    if (impl->pending && !outer_values) impl->pending->force(*impl, TransferReason::graph_break);
    auto [it, fresh] = leaf_of_.try_emplace(impl, static_cast<std::uint32_t>(leaves_.size()));
    if (fresh) {
        if (outer_values) {
            // In a region even a Parameter is an input: the surrounding graph reads it once.
            leaves_.push_back({impl->number && !impl->pending ? ir::NodeKind::constant : ir::NodeKind::input, t, impl});
            keep_.push_back(t);
        } else if (impl->parameter) {
            leaves_.push_back({ir::NodeKind::parameter, t, impl});
        } else {
            // The snapshot keeps the value; the handle itself keeps the identity from being used again.
            leaves_.push_back({impl->number ? ir::NodeKind::constant : ir::NodeKind::input, snapshot_tensor(t), impl});
            leaves_.back().tensor.impl()->number = impl->number;
            leaves_.back().tensor.impl()->beyond = impl->beyond;
            keep_.push_back(t);
        }
    }
    return {Ref::Kind::leaf, it->second, 0};
}

void Trace::same_value(const Tensor& copy, const Tensor& original) {
    // Only what is kept for later calls must know; a lazy trace in which nothing happens must not collect handles.
    if (records_.empty() && !hold && !region) return;
    const Ref ref = ref_of(original);
    // What waits in this trace says so by itself.
    if (ref.kind != Ref::Kind::leaf || copy.impl()->pending == this) return;
    if (leaf_of_.try_emplace(copy.impl(), ref.number).second) keep_.push_back(copy);
}

Tensor Trace::original_of(const Tensor& t) const {
    const auto it = leaf_of_.find(t.impl());
    return it == leaf_of_.end() ? Tensor() : original(leaves_[it->second]);
}

void Trace::assigning(const Tensor& target) {
    // What a branch makes itself it may change; anything else is seen by others.
    if (region && target.impl()->pending != this) throw Unsupported{"a tensor from outside is changed"};
}

void Trace::looked_at(TransferReason reason) {
    if (reason == TransferReason::input) return;
    if (region) throw Unsupported{break_reason(reason)};
    if (!hold) return;  // what is not kept for later calls cannot go wrong
    ++breaks_;
    if (context_.recorder) report_break(0, context_.frame(), break_reason(reason), {});
}

void Trace::report_break(GraphId graph, FrameId frame, const std::string& why, const std::string& op) {
    context_.recorder->graph_break(graph, frame, why);
    Finding finding;
    finding.kind = FindingKind::graph_break;
    // Outside a jitted function a look at a value is where one graph ends and the next begins.
    finding.severity = name_ == "main" ? Severity::info : Severity::warning;
    finding.frame = frame;
    finding.op = op;
    finding.rule = name_of(finding.kind);
    finding.step = context_.step;
    finding.arguments = {{"reason", why}};
    context_.recorder->finding(finding);
}

void Trace::add_leaf(const Tensor& t) {
    const auto [it, fresh] = leaf_of_.try_emplace(t.impl(), static_cast<std::uint32_t>(leaves_.size()));
    if (!fresh) return;
    leaves_.push_back({ir::NodeKind::input, t, t.impl()});
    keep_.push_back(t);
}

Tensor Trace::pass_through(const Tensor& t) {
    const TensorType types[1] = {t.type()};
    return append(op_row(op::reshape), {&t, 1}, {t.shape()}, types)[0];
}

std::vector<Tensor> Trace::finish_record(Record record) {
    record.frame = context_.frame();
    record.scope = context_.scope;
    record.phase = context_.phase;
    record.part_of = context_.part_of;
    record.step = context_.step;
    record.first_value = static_cast<std::uint32_t>(values_.size());
    std::vector<Tensor> outputs;
    for (std::size_t i = 0; i < record.types.size(); ++i) {
        Tensor t = Tensor::adopt(make_impl(record.types[i].dtype, record.types[i].shape));
        t.impl()->pending = this;
        t.impl()->pending_index = static_cast<std::uint32_t>(values_.size());
        values_.push_back({static_cast<std::uint32_t>(records_.size()), static_cast<std::uint32_t>(i), {t.impl()}});
        outputs.push_back(std::move(t));
    }
    records_.push_back(std::move(record));
    return outputs;
}

// A loop that looks at no value would be cut anywhere, each time into a graph that was never seen before. Cut where it
// comes by the first op again, all parts are one graph.
bool Trace::begins_again(const OpDef& op) const {
    if (region || hold || records_.size() < kLongTrace) return false;
    const Record& first = records_.front();
    return first.op == &op && first.scope == context_.scope && first.phase == context_.phase &&
           first.frame == context_.frame();
}

std::vector<Tensor> Trace::append(const OpDef& op, std::span<const Tensor> inputs, const Attrs& attrs,
                                  std::span<const TensorType> outputs) {
    const Traits& traits = op.schema.traits;
    if (begins_again(op)) flush();
    if (region && (traits.writes || traits.effect)) throw Unsupported{op.name() + " changes something outside"};
    Record r;
    r.op = &op;
    r.attrs = attrs;
    r.types.assign(outputs.begin(), outputs.end());
    bool all = true;
    for (const Tensor& t : inputs) {
        all = all && t.defined();
        r.inputs.push_back(t.defined() ? ref_of(t) : Ref{});
        if (t.defined()) t.impl()->consumed = true;
    }
    if (!all) {
        for (const Tensor& t : inputs) r.present.push_back(t.defined());
    }
    effects_ = effects_ || traits.writes || traits.effect;
    std::vector<Tensor> made = finish_record(std::move(r));
    for (std::size_t i = 0; i < traits.writes; ++i) {
        const Tensor& target = inputs[i];
        if (target.impl()->parameter &&
            std::none_of(written_.begin(), written_.end(), [&](const Tensor& w) { return same(w, target); })) {
            written_.push_back(target);
        }
        assign_value(target, made[i]);
    }
    if (records_.size() >= kLongestTrace && !region && !hold) flush();
    return made;
}

std::vector<Tensor> Trace::append_regions(ir::NodeKind kind, std::span<const Tensor> inputs,
                                          std::vector<ir::GraphPtr> regions, std::span<const TensorType> outputs) {
    Record r;
    r.kind = kind;
    r.regions = std::move(regions);
    r.types.assign(outputs.begin(), outputs.end());
    for (const Tensor& t : inputs) r.inputs.push_back(ref_of(t));
    return finish_record(std::move(r));
}

std::int64_t Trace::value_of(const Tensor& t) const noexcept {
    return t.impl()->pending == this ? static_cast<std::int64_t>(t.impl()->pending_index) : -1;
}

void Trace::follow(TensorImpl& from, TensorImpl& to) {
    to.pending = this;
    to.pending_index = from.pending_index;
    values_[from.pending_index].waiting.push_back(&to);
}

void Trace::forget(TensorImpl& impl) noexcept { std::erase(values_[impl.pending_index].waiting, &impl); }

void Trace::force(TensorImpl& wanted, TransferReason reason) {
    if (region) throw Unsupported{break_reason(reason)};
    ++breaks_;
    if (context_.recorder && reason != TransferReason::input) {
        pending_break_ = true;
        break_frame_ = context_.frame();
        break_text_ = break_reason(reason);
        const OpDef* op = records_[values_[wanted.pending_index].record].op;
        break_op_ = op ? op->name() : std::string();
    }
    flush();
}

std::vector<std::uint32_t> Trace::live_values() const {
    std::vector<std::uint32_t> live;
    for (std::uint32_t i = 0; i < values_.size(); ++i) {
        const auto& waiting = values_[i].waiting;
        if (std::any_of(waiting.begin(), waiting.end(), [](TensorImpl* t) { return !t->parameter; })) live.push_back(i);
    }
    return live;
}

Fingerprint Trace::fingerprint(const std::vector<std::uint32_t>& outputs) const {
    Fingerprint f;
    f.reserve(records_.size() * 10 + leaves_.size() * 4 + outputs.size() + 8);
    f.push_back(static_cast<std::uint64_t>(context_.device));
    f.push_back(leaves_.size());
    for (const Leaf& leaf : leaves_) {
        f.push_back(static_cast<std::uint64_t>(leaf.kind));
        put_type(f, leaf.tensor.type());
        if (leaf.kind == ir::NodeKind::constant) put_bytes(f, leaf.tensor);
        if (leaf.kind == ir::NodeKind::parameter) put_text(f, leaf.tensor.impl()->parameter->name);
    }
    f.push_back(records_.size());
    for (const Record& r : records_) {
        f.push_back(static_cast<std::uint64_t>(r.kind) << 32 | (r.op ? static_cast<std::uint64_t>(r.op->id) : 0));
        f.push_back(static_cast<std::uint64_t>(r.frame) << 32 | r.scope << 2 | static_cast<std::uint64_t>(r.phase));
        if (r.part_of) f.push_back(static_cast<std::uint64_t>(r.part_of->id));
        if (r.step != records_[0].step) f.push_back(r.step - records_[0].step);
        put_attrs(f, r.attrs);
        f.push_back(r.inputs.size());
        for (std::size_t i = 0; i < r.inputs.size(); ++i) {
            const Ref& in = r.inputs[i];
            const bool given = r.present.empty() || r.present[i];
            f.push_back(given ? (static_cast<std::uint64_t>(in.kind) + 1) << 60 |
                                    static_cast<std::uint64_t>(in.number) << 8 | in.output
                              : 0);
        }
        // Regions are made anew each time: their identity makes a fingerprint that is never found again, unless the
        // same traced function object is reused.
        for (const ir::GraphPtr& region_graph : r.regions) put_region(f, *region_graph);
    }
    f.push_back(outputs.size());
    for (std::uint32_t v : outputs) f.push_back(v);
    for (const Tensor& w : written_) {
        f.push_back(w.impl()->pending == this ? w.impl()->pending_index : ~std::uint64_t{0});
    }
    return f;
}

void Trace::put_region(Fingerprint& f, const ir::Graph& graph) {
    std::unordered_map<const ir::Node*, std::uint64_t> number;
    f.push_back(graph.inputs.size());
    for (const ir::NodePtr& n : graph.inputs) {
        number[n.get()] = number.size();
        put_type(f, n->types[0]);
    }
    f.push_back(graph.nodes.size());
    for (const ir::NodePtr& n : graph.nodes) {
        number[n.get()] = number.size();
        f.push_back(static_cast<std::uint64_t>(n->kind) << 32 | (n->op ? static_cast<std::uint64_t>(n->op->id) : 0));
        f.push_back(static_cast<std::uint64_t>(n->frame) << 32 | n->scope);
        put_attrs(f, n->attrs);
        if (n->kind == ir::NodeKind::constant) {
            put_type(f, n->types[0]);
            put_bytes(f, n->value);
        }
        f.push_back(n->inputs.size());
        for (const ir::Value& v : n->inputs)
            f.push_back(v.node ? number[v.node.get()] << 8 | v.index : ~std::uint64_t{0});
        for (const ir::GraphPtr& inner : n->regions) put_region(f, *inner);
    }
    f.push_back(graph.outputs.size());
    for (const ir::Value& v : graph.outputs) f.push_back(number[v.node.get()] << 8 | v.index);
}

Trace::Built Trace::build(const std::vector<std::uint32_t>& outputs, std::span<const Tensor> first_leaves) {
    Built built;
    auto graph = std::make_shared<ir::Graph>();
    graph->name = name_;
    std::vector<ir::NodePtr> leaf_nodes(leaves_.size());
    auto make_leaf = [&](const Leaf& leaf, std::size_t at) {
        auto node = std::make_shared<ir::Node>();
        node->id = ir::next_node_id();
        node->kind = leaf.kind;
        node->types = {leaf.tensor.type()};
        node->frame = exec::origin_frame(context_, leaf.tensor);
        if (leaf.kind == ir::NodeKind::parameter) {
            node->name = leaf.tensor.impl()->parameter->name;
            node->value = leaf.tensor;
        } else if (leaf.kind == ir::NodeKind::constant) {
            node->value = leaf.tensor;
        } else {
            node->name = "x" + std::to_string(at);
        }
        return node;
    };
    std::vector<bool> placed(leaves_.size(), false);
    auto place = [&](std::uint32_t k) {
        leaf_nodes[k] = make_leaf(leaves_[k], graph->inputs.size());
        placed[k] = true;
        if (leaves_[k].kind == ir::NodeKind::constant) {
            graph->nodes.push_back(leaf_nodes[k]);
        } else {
            graph->inputs.push_back(leaf_nodes[k]);
            built.leaves.push_back(leaves_[k]);
        }
    };
    for (const Tensor& t : first_leaves) {
        auto it = leaf_of_.find(t.impl());
        if (it != leaf_of_.end() && !placed[it->second]) {
            // An argument is an input whatever it is, so that the next call may give another one.
            if (leaves_[it->second].kind == ir::NodeKind::constant) leaves_[it->second].kind = ir::NodeKind::input;
            place(it->second);
        }
    }
    for (std::uint32_t k = 0; k < leaves_.size(); ++k) {
        if (!placed[k]) place(k);
    }
    std::vector<ir::NodePtr> nodes;
    auto value = [&](const Ref& ref) -> ir::Value {
        return ref.kind == Ref::Kind::leaf ? ir::Value{leaf_nodes[ref.number], 0}
                                           : ir::Value{nodes[ref.number], ref.output};
    };
    for (const Record& r : records_) {
        auto node = std::make_shared<ir::Node>();
        node->id = ir::next_node_id();
        node->kind = r.kind;
        node->op = r.op;
        node->attrs = r.attrs;
        node->types = r.types;
        node->regions = r.regions;
        node->present = r.present;
        node->frame = r.frame;
        node->scope = r.scope;
        node->phase = r.phase;
        node->part_of = r.part_of;
        node->step = r.step - records_[0].step;
        for (std::size_t i = 0; i < r.inputs.size(); ++i) {
            const bool given = r.present.empty() || r.present[i];
            node->inputs.push_back(given ? value(r.inputs[i]) : ir::Value{});
        }
        nodes.push_back(node);
        graph->nodes.push_back(node);
    }
    for (std::uint32_t v : outputs) {
        graph->outputs.push_back({nodes[values_[v].record], values_[v].output});
        built.output_values.push_back(v);
    }
    for (const Tensor& w : written_) {
        if (w.impl()->pending != this) continue;  // overwritten by something else since
        const ValueInfo& v = values_[w.impl()->pending_index];
        const auto leaf = leaf_of_.find(w.impl());
        ir::NodePtr parameter;
        if (leaf != leaf_of_.end()) {
            parameter = leaf_nodes[leaf->second];
        }
        graph->updates.push_back({parameter, {nodes[v.record], v.output}});
    }
    graph->frame = records_.empty() ? 0 : records_.front().frame;
    built.graph = std::move(graph);
    return built;
}

void Trace::settle(const std::vector<std::uint32_t>& numbers, std::span<const Tensor> results) {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        ValueInfo& v = values_[numbers[i]];
        const TensorImpl* from = results[i].impl();
        for (TensorImpl* to : v.waiting) {
            if (to->parameter) continue;  // written by the executable itself
            to->storage = from->storage;
            to->health = from->health;
            to->history = from->history;
            to->pending = nullptr;
        }
        std::erase_if(v.waiting, [](TensorImpl* t) { return !t->parameter; });
    }
    reset();
}

void Trace::reset() noexcept {
    for (ValueInfo& v : values_) {
        // A Parameter keeps the value that it had before.
        for (TensorImpl* t : v.waiting) t->pending = t->parameter ? nullptr : &lost_values();
    }
    values_.clear();
    records_.clear();
    leaves_.clear();
    leaf_of_.clear();
    written_.clear();
    keep_.clear();
    effects_ = false;
    pending_break_ = false;
}

void Trace::abandon() noexcept { reset(); }

void Trace::flush() {
    if (records_.empty() || flushing_) return;
    flushing_ = true;
    struct Done {
        bool& flag;
        ~Done() { flag = false; }
    } done{flushing_};
    Suspended suspended(context_);
    // What waited belongs to the step in which it was written, though the program may have gone on to the next.
    struct ItsStep {
        Context& context;
        std::uint32_t now;
        ~ItsStep() { context.step = now; }
    } its_step{context_, std::exchange(context_.step, records_[0].step)};
    // At the program's end no line is running any more: what happens then belongs to the last op's.
    struct LastLine {
        Context& context;
        FrameId before;
        ~LastLine() { context.forced_frame = before; }
    } last_line{context_, context_.forced_frame};
    if (context_.recorder && context_.frame() == 0) context_.forced_frame = records_.back().frame;
    const std::vector<std::uint32_t> outputs = live_values();
    std::vector<Tensor> results;
    try {
        results = run_segment(outputs);
    } catch (...) {
        abandon();
        throw;
    }
    settle(outputs, results);
}

std::vector<Tensor> Trace::run_segment(const std::vector<std::uint32_t>& outputs) {
    Fingerprint key = fingerprint(outputs);
    SegmentCache::Entry* entry = segments().find(key);
    if (!entry) {
        Built built = build(outputs, {});
        exec::CompileInfo info;
        info.name = name_;
        info.frame = built.graph->frame;
        SegmentCache::Entry fresh;
        fresh.key = std::move(key);
        fresh.executable = exec::compile(context_, built.graph, info);
        entry = segments().insert(std::move(fresh));
    }
    std::vector<Tensor> inputs;
    for (const Leaf& leaf : leaves_) {
        if (leaf.kind != ir::NodeKind::constant) inputs.push_back(leaf.tensor);
    }
    if (std::exchange(pending_break_, false)) {
        report_break(entry->executable->graph_id(), break_frame_, break_text_, break_op_);
    }
    // Held, for the run may push the entry out of the cache.
    const std::shared_ptr<exec::Executable> executable = entry->executable;
    return executable->run(context_, inputs);
}

}  // namespace fusescope::trace
