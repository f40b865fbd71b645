#include "engine/exec/plan.hpp"

#include <algorithm>

#include "engine/core/tensor_impl.hpp"
#include "engine/exec/kinds.hpp"
#include "engine/ir/graph_builder.hpp"

namespace fusescope::exec {
namespace {

constexpr std::int64_t kAlign = 64;
std::int64_t rounded(std::size_t bytes) {
    return std::max<std::int64_t>(kAlign, (static_cast<std::int64_t>(bytes) + kAlign - 1) / kAlign * kAlign);
}

bool is_view(const ir::Node& n) {
    return n.kind == ir::NodeKind::op && n.op->schema.traits.view && !n.op->kernel && !n.op->decompose;
}

// The ops that a decomposition is made of, as a graph; null when it cannot be had without values.
ir::GraphPtr parts_of(const ir::Node& n) {
    ir::GraphBuilder builder;
    std::vector<Tensor> inputs;
    for (const ir::Value& v : n.inputs) {
        inputs.push_back(v.node ? builder.input("x" + std::to_string(inputs.size()), v.type().dtype, v.type().shape)
                                : Tensor());
    }
    std::vector<Tensor> results;
    try {
        ir::GraphBuilder::Scope scope(builder);
        results = n.op->decompose(inputs, n.attrs);
    } catch (const std::exception&) {
        // It looks at its operands: they are given as tensors at each run (run_decomposed), which reports what is
        // wrong.
        return nullptr;
    }
    ir::GraphPtr graph = builder.finish(n.op->name(), results);
    for (std::size_t o = 0; o < n.types.size(); ++o) {
        if (o >= graph->outputs.size() || graph->outputs[o].type() != n.types[o]) return nullptr;
    }
    return graph->updates.empty() ? graph : nullptr;
}

// Whether a kernel may refuse the values it gets (an index out of range) or call out of the engine. Element loops,
// reductions, views and optimizer steps take every value.
bool may_throw(const ir::Node& n) {
    if (n.kind == ir::NodeKind::constant || n.kind == ir::NodeKind::input || n.kind == ir::NodeKind::parameter) {
        return false;
    }
    if (n.kind == ir::NodeKind::op) {
        const Traits& t = n.op->schema.traits;
        return !(n.op->elementwise() || t.reduction || t.view || t.writes > 0);
    }
    for (const ir::GraphPtr& region : n.regions) {
        for (const ir::NodePtr& member : region->nodes) {
            if (may_throw(*member)) return true;
        }
    }
    return false;
}

}  // namespace

std::vector<ir::NodePtr> fused_nodes(const ir::Graph& graph) {
    std::vector<ir::NodePtr> list;
    for (const ir::NodePtr& n : graph.nodes) {
        if (n->kind == ir::NodeKind::fused) {
            list.push_back(n);
            continue;
        }
        for (const ir::GraphPtr& region : n->regions) {
            for (ir::NodePtr& inner : fused_nodes(*region)) list.push_back(std::move(inner));
        }
    }
    return list;
}

Plan::Plan(ir::GraphPtr graph, FusedKernelFactory* factory, bool reuse)
    : graph_(std::move(graph)), factory_(factory), reuse_(reuse) {
    lay_out();
    plan_memory();
    data_.resize(slots_.size());
}

Plan::~Plan() = default;

std::uint32_t Plan::slot_of(const ir::Value& v) const { return first_slot_.at(v.node.get()) + v.index; }

std::uint32_t Plan::root(std::uint32_t slot) const noexcept {
    while (slots_[slot].place == Slot::Place::alias) slot = slots_[slot].number;
    return slot;
}

void Plan::add_leaf(const ir::Node& n, std::uint32_t number) {
    first_slot_[&n] = static_cast<std::uint32_t>(slots_.size());
    Slot s;
    s.place = n.kind == ir::NodeKind::constant ? Slot::Place::constant : Slot::Place::input;
    s.parameter = n.kind == ir::NodeKind::parameter;
    s.number = number;
    s.type = n.types[0];
    slots_.push_back(std::move(s));
}

void Plan::add_step(const ir::NodePtr& n) {
    Step step;
    step.node = n;
    const auto at = static_cast<std::int64_t>(steps_.size());
    for (const ir::Value& v : n->inputs) {
        if (!v.node) {
            step.inputs.push_back(kAbsent);
            step.input_types.emplace_back();
            continue;
        }
        const std::uint32_t s = slot_of(v);
        step.inputs.push_back(s);
        step.input_types.push_back(v.type());
        // A view keeps what it looks at alive: reading it is reading that.
        slots_[s].last = slots_[root(s)].last = at;
    }
    step.view = is_view(*n);
    first_slot_[n.get()] = static_cast<std::uint32_t>(slots_.size());
    for (const TensorType& type : n->types) {
        Slot s;
        if (step.view) {
            s.place = Slot::Place::alias;
            s.number = step.inputs[0];
        }
        s.type = type;
        s.first = at;
        step.outputs.push_back(static_cast<std::uint32_t>(slots_.size()));
        slots_.push_back(std::move(s));
    }
    step.cost = ir::cost_of(*n);
    step.kind = n->kind == ir::NodeKind::op ? static_cast<KindId>(n->op->id) + 1 : intern_kind(n->op_name());
    step.throws = may_throw(*n);
    if (n->kind == ir::NodeKind::fused && factory_) step.fused = factory_->make(n);
    if (!step.fused) {
        for (const ir::GraphPtr& region : n->regions) {
            step.regions.push_back(std::make_unique<Plan>(region, factory_, reuse_));
        }
    }
    if (n->kind == ir::NodeKind::op && !n->op->kernel && n->op->decompose) {
        if (ir::GraphPtr parts = parts_of(*n))
            step.regions.push_back(std::make_unique<Plan>(parts, factory_, reuse_));
    }
    steps_.push_back(std::move(step));
}

void Plan::lay_out() {
    for (std::uint32_t i = 0; i < graph_->inputs.size(); ++i) add_leaf(*graph_->inputs[i], i);
    for (const ir::NodePtr& n : graph_->nodes) {
        if (n->kind == ir::NodeKind::constant) {
            add_leaf(*n, static_cast<std::uint32_t>(constants_.size()));
            constants_.push_back(n->value);
        } else {
            add_step(n);
        }
    }
    give_outputs();
    find_updates_in_place();
}

// Results: the first taker of a value owns its bytes, later takers get copies.
void Plan::give_outputs() {
    auto take = [&](const ir::Value& v, std::uint32_t number) {
        Slot& s = slots_[root(slot_of(v))];
        memory_.result_bytes += static_cast<std::int64_t>(v.type().bytes());
        if (s.place == Slot::Place::arena) {
            s.place = Slot::Place::output;
            s.number = number;
        } else {
            copies_.emplace_back(slot_of(v), number);
        }
    };
    // Updates come first: a value that a Parameter gets is written where the Parameter is.
    const auto results = static_cast<std::uint32_t>(graph_->outputs.size());
    for (std::uint32_t u = 0; u < graph_->updates.size(); ++u) take(graph_->updates[u].value, results + u);
    for (std::uint32_t o = 0; o < results; ++o) take(graph_->outputs[o], o);
}

// Whether the step may write output `output` over the bytes of `slot`, which it reads: every way in which it reads them
// must be element by element.
bool Plan::may_write_over(const Step& step, std::size_t output, std::uint32_t slot) const {
    if (step.view) return false;
    const TensorType& type = step.node->types[output];
    bool reads = false;
    for (std::size_t i = 0; i < step.inputs.size(); ++i) {
        if (step.inputs[i] == kAbsent || root(step.inputs[i]) != slot) continue;
        reads = true;
        if (step.input_types[i] != type) return false;
        const bool fits = step.fused ? step.fused->in_place(output, i)
                                     : step.node->kind == ir::NodeKind::op && step.node->op->kernel &&
                                           step.node->op->in_place && output == 0;
        if (!fits) return false;
    }
    return reads;
}

// A Parameter may be written in place when its old value is read by nobody after the step that makes the new one, that
// step itself reads it only element by element, and nothing can go wrong between there and the end: a run that throws
// leaves all Parameters as they were.
void Plan::find_updates_in_place() {
    std::int64_t last_throw = -1;
    for (std::size_t k = 0; k < steps_.size(); ++k) {
        if (steps_[k].throws) last_throw = static_cast<std::int64_t>(k);
    }
    for (std::size_t u = 0; u < graph_->updates.size(); ++u) {
        const ir::StateUpdate& update = graph_->updates[u];
        const Slot& made = slots_[root(slot_of(update.value))];
        bool ok = reuse_ && update.parameter && made.place == Slot::Place::output &&
                  made.number == graph_->outputs.size() + u && made.first > last_throw &&
                  made.type.bytes() == update.parameter->types[0].bytes();
        if (ok) {
            const std::uint32_t old = first_slot_.at(update.parameter.get());
            const Step& maker = steps_[static_cast<std::size_t>(made.first)];
            const std::size_t output = root(slot_of(update.value)) - maker.outputs[0];
            ok =
                slots_[old].last < made.first || (slots_[old].last == made.first && may_write_over(maker, output, old));
            // Results and other updates that take the old value are copied at the end, when it would be gone.
            for (const auto& [copied, number] : copies_) ok = ok && root(copied) != old;
        }
        update_in_place_.push_back(ok);
        memory_.updates_in_place += ok;
    }
}

void Plan::plan_memory() {
    // First fit over the live ranges; offsets by decreasing size would pack tighter, but steps in order keep what is
    // used together close together.
    struct Busy {
        std::int64_t begin, end, last;
    };
    std::vector<Busy> busy;
    std::int64_t top = 0;
    for (std::size_t k = 0; k < steps_.size(); ++k) {
        const auto at = static_cast<std::int64_t>(k);
        const Step& step = steps_[k];
        std::vector<std::int64_t> taken;  // operands that an output of this step has been put over
        std::erase_if(busy, [&](const Busy& b) { return reuse_ && b.last < at; });
        for (std::size_t o = 0; o < step.outputs.size(); ++o) {
            Slot& s = slots_[step.outputs[o]];
            if (s.place != Slot::Place::arena) continue;
            const std::int64_t bytes = rounded(s.type.bytes());
            memory_.unshared_bytes += bytes;
            const std::int64_t last = std::max(s.last, at);
            // Over an operand that dies here, when the kernel reads and writes element by element.
            bool placed = false;
            for (std::size_t i = 0; reuse_ && i < step.inputs.size() && !placed; ++i) {
                if (step.inputs[i] == kAbsent) continue;
                const std::uint32_t from = root(step.inputs[i]);
                const Slot& in = slots_[from];
                if (in.place != Slot::Place::arena || in.last != at || in.type.bytes() != s.type.bytes()) continue;
                if (std::find(taken.begin(), taken.end(), in.offset) != taken.end()) continue;
                if (!may_write_over(step, o, from)) continue;
                auto it = std::find_if(busy.begin(), busy.end(),
                                       [&](const Busy& b) { return b.begin == in.offset && b.last == at; });
                if (it == busy.end()) continue;
                it->last = last;
                s.offset = in.offset;
                taken.push_back(s.offset);
                placed = true;
                ++memory_.in_place;
            }
            if (placed) continue;
            std::int64_t offset = 0;
            auto before = busy.begin();
            for (; before != busy.end() && before->begin - offset < bytes; ++before)
                offset = std::max(offset, before->end);
            if (offset + bytes <= top) ++memory_.reused;
            s.offset = offset;
            busy.insert(before, {offset, offset + bytes, last});  // stays sorted by begin
            top = std::max(top, offset + bytes);
        }
    }
    memory_.arena_bytes = top;
    for (const Step& step : steps_) {
        for (const auto& region : step.regions) {
            memory_.arena_bytes += region->memory().arena_bytes;
            memory_.unshared_bytes += region->memory().unshared_bytes;
        }
    }
    own_arena_ = top;
}

std::function<std::string()> Plan::kernel_text(NodeId node, const std::string& form) const {
    for (const Step& step : steps_) {
        if (step.node->id == node && step.fused) return step.fused->text(form);
        for (const auto& region : step.regions) {
            if (auto text = region->kernel_text(node, form)) return text;
        }
    }
    return {};
}

int Plan::generated() const noexcept {
    int n = 0;
    for (const Step& step : steps_) {
        n += step.fused != nullptr;
        for (const auto& region : step.regions) n += region->generated();
    }
    return n;
}

}  // namespace fusescope::exec
