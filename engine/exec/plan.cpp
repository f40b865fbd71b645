#include "engine/exec/plan.hpp"

#include <algorithm>
#include <cstring>
#include <map>

#include "engine/core/tensor_impl.hpp"
#include "engine/exec/dispatch.hpp"
#include "fusescope/error.hpp"

namespace fusescope::exec {
namespace {

constexpr std::int64_t kAlign = 64;
std::int64_t rounded(std::size_t bytes) {
    return std::max<std::int64_t>(kAlign, (static_cast<std::int64_t>(bytes) + kAlign - 1) / kAlign * kAlign);
}

bool is_view(const ir::Node& n) {
    return n.kind == ir::NodeKind::op && n.op->schema.traits.view && !n.op->kernel && !n.op->decompose;
}

// Names of fused kernels get ids after those of the op table.
KindId kind_of(const ir::Node& n, Recorder* recorder) {
    if (n.kind == ir::NodeKind::op) return static_cast<KindId>(n.op->id) + 1;
    thread_local std::map<std::string, KindId, std::less<>> names;
    thread_local std::map<std::string, Recorder*, std::less<>> told;
    const std::string name(n.op_name());
    const auto it = names.try_emplace(name, static_cast<KindId>(1000 + names.size())).first;
    if (Recorder*& r = told[name]; recorder && r != recorder) {
        r = recorder;
        recorder->define_kind(it->second, name);
    }
    return it->second;
}

}  // namespace

Plan::Plan(ir::GraphPtr graph, FusedKernelFactory* factory) : graph_(std::move(graph)), factory_(factory) {
    lay_out();
    plan_memory();
}

Plan::~Plan() = default;

std::uint32_t Plan::slot_of(const ir::Value& v) const { return first_slot_.at(v.node.get()) + v.index; }

void Plan::lay_out() {
    auto add_slots = [&](const ir::Node& n, Slot::Place place, std::uint32_t number) {
        first_slot_[&n] = static_cast<std::uint32_t>(slots_.size());
        for (const TensorType& t : n.types) {
            Slot s;
            s.place = place;
            s.number = number;
            s.type = t;
            slots_.push_back(std::move(s));
        }
    };
    for (std::uint32_t i = 0; i < graph_->inputs.size(); ++i) add_slots(*graph_->inputs[i], Slot::Place::input, i);
    for (const ir::NodePtr& n : graph_->nodes) {
        if (n->kind == ir::NodeKind::constant) {
            add_slots(*n, Slot::Place::constant, static_cast<std::uint32_t>(constants_.size()));
            constants_.push_back(n->value);
            continue;
        }
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
            slots_[s].last = at;
        }
        step.view = is_view(*n);
        add_slots(*n, step.view ? Slot::Place::alias : Slot::Place::arena, step.view ? step.inputs[0] : 0);
        for (std::uint32_t o = 0; o < n->types.size(); ++o) {
            step.outputs.push_back(first_slot_[n.get()] + o);
            slots_[step.outputs.back()].first = at;
        }
        step.cost = ir::cost_of(*n);
        if (n->kind == ir::NodeKind::fused && factory_) step.fused = factory_->make(n);
        if (!step.fused) {
            for (const ir::GraphPtr& region : n->regions)
                step.regions.push_back(std::make_unique<Plan>(region, factory_));
        }
        steps_.push_back(std::move(step));
    }
    // A view keeps what it looks at alive as long as itself.
    for (std::size_t k = steps_.size(); k-- > 0;) {
        if (!steps_[k].view) continue;
        Slot& base = slots_[steps_[k].inputs[0]];
        base.last = std::max(base.last, slots_[steps_[k].outputs[0]].last);
    }
    // Results: the first taker of a value owns its bytes, later takers get copies.
    auto take = [&](const ir::Value& v, std::uint32_t number) {
        std::uint32_t s = slot_of(v);
        while (slots_[s].place == Slot::Place::alias) s = slots_[s].number;
        if (slots_[s].place == Slot::Place::arena && slots_[s].first >= 0) {
            slots_[s].place = Slot::Place::output;
            slots_[s].number = number;
        } else {
            copies_.emplace_back(slot_of(v), number);
        }
    };
    // Updates come first: a value that a Parameter gets is written where the Parameter is.
    const auto results = static_cast<std::uint32_t>(graph_->outputs.size());
    for (std::uint32_t u = 0; u < graph_->updates.size(); ++u) take(graph_->updates[u].value, results + u);
    for (std::uint32_t o = 0; o < results; ++o) take(graph_->outputs[o], o);
    // A Parameter may be written in place when its old value is read by nobody after the step that makes the new one,
    // and that step itself reads it only element by element.
    for (const ir::StateUpdate& u : graph_->updates) {
        bool ok = false;
        std::uint32_t s = slot_of(u.value);
        while (slots_[s].place == Slot::Place::alias) s = slots_[s].number;
        const Slot& made = slots_[s];
        if (made.place == Slot::Place::output && u.parameter) {
            const std::uint32_t old = first_slot_[u.parameter.get()];
            const Step& maker = steps_[static_cast<std::size_t>(made.first)];
            const std::size_t output = s - maker.outputs[0];
            ok = slots_[old].last < made.first;
            if (slots_[old].last == made.first && !maker.view) {
                ok = true;
                for (std::size_t i = 0; i < maker.inputs.size(); ++i) {
                    if (maker.inputs[i] != old) continue;
                    const bool same_type = maker.input_types[i] == made.type;
                    ok = ok && same_type &&
                         (maker.fused                            ? maker.fused->in_place(output, i)
                          : maker.node->kind == ir::NodeKind::op ? maker.node->op->in_place
                                                                 : false);
                }
            }
            for (const auto& [copied, number] : copies_) ok = ok && copied != old;
            for (const ir::Value& v : graph_->outputs) ok = ok && slot_of(v) != old;
        }
        update_in_place_.push_back(ok);
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
        Step& step = steps_[k];
        for (std::size_t o = 0; o < step.outputs.size(); ++o) {
            Slot& s = slots_[step.outputs[o]];
            if (s.place != Slot::Place::arena) continue;
            const std::int64_t bytes = rounded(s.type.bytes());
            memory_.unshared_bytes += bytes;
            const std::int64_t last = std::max(s.last, at);
            // Over an operand that dies here, when the kernel reads and writes element by element.
            bool placed = false;
            const bool elementwise = step.node->kind == ir::NodeKind::op && step.node->op->in_place;
            for (std::size_t i = 0; i < step.inputs.size() && !placed; ++i) {
                if (step.inputs[i] == kAbsent) continue;
                const Slot& in = slots_[step.inputs[i]];
                const bool fits = in.place == Slot::Place::arena && in.last == at && in.type == s.type &&
                                  (elementwise ? o == 0 : step.fused && step.fused->in_place(o, i));
                if (!fits) continue;
                auto it = std::find_if(busy.begin(), busy.end(),
                                       [&](const Busy& b) { return b.begin == in.offset && b.last == at; });
                if (it == busy.end()) continue;
                it->last = last;
                s.offset = in.offset;
                placed = true;
                ++memory_.in_place;
            }
            if (placed) continue;
            std::erase_if(busy, [&](const Busy& b) { return b.last < at; });
            std::sort(busy.begin(), busy.end(), [](const Busy& a, const Busy& b) { return a.begin < b.begin; });
            std::int64_t offset = 0;
            for (const Busy& b : busy) {
                if (b.begin - offset >= bytes) break;
                offset = std::max(offset, b.end);
            }
            if (offset + bytes <= top) ++memory_.reused;
            s.offset = offset;
            busy.push_back({offset, offset + bytes, last});
            top = std::max(top, offset + bytes);
        }
    }
    memory_.arena_bytes = top;
}

void Plan::run(Context& context, std::span<void* const> inputs, std::span<void* const> outputs) {
    if (memory_.arena_bytes > 0 && (!arena_ || arena_->device != context.device)) {
        arena_ = StorageRef(allocator::allocate(static_cast<std::size_t>(memory_.arena_bytes), context.device));
    }
    char* const arena = arena_ ? static_cast<char*>(arena_->data()) : nullptr;
    data_.resize(slots_.size());
    for (std::size_t i = 0; i < slots_.size(); ++i) {
        const Slot& s = slots_[i];
        switch (s.place) {
            case Slot::Place::input:
                data_[i] = inputs[s.number];
                break;
            case Slot::Place::constant:
                data_[i] = constants_[s.number].impl()->raw();
                break;
            case Slot::Place::arena:
                data_[i] = arena + s.offset;
                break;
            case Slot::Place::output:
                data_[i] = outputs[s.number];
                break;
            case Slot::Place::alias:
                data_[i] = data_[s.number];
                break;
        }
    }
    for (Step& step : steps_) {
        if (step.view) continue;
        if (!context.recorder) {
            run_step(context, step);
        } else {
            const std::int64_t start = now_ns();
            run_step(context, step);
            publish_step(context, step, start);
        }
    }
    for (const auto& [slot, number] : copies_) {
        if (outputs[number] != data_[slot]) std::memcpy(outputs[number], data_[slot], slots_[slot].type.bytes());
    }
}

void Plan::run_step(Context& context, Step& step) {
    switch (step.node->kind) {
        case ir::NodeKind::op:
            return run_kernel_step(context, step);
        case ir::NodeKind::cond:
            return run_cond(context, step);
        case ir::NodeKind::loop:
            return run_loop(context, step);
        default:
            break;
    }
    SmallVector<void*, 16> in;
    SmallVector<void*, 8> out;
    for (std::uint32_t s : step.inputs) in.push_back(data_[s]);
    for (std::uint32_t s : step.outputs) out.push_back(data_[s]);
    if (step.fused) return step.fused->run(in, out);
    // Member by member; several regions take their inputs and outputs one after the other.
    Recorder* const recorder = std::exchange(context.recorder, nullptr);
    std::size_t next_in = 0, next_out = 0;
    for (const auto& region : step.regions) {
        const std::size_t ins = region->graph().inputs.size(), outs = region->graph().outputs.size();
        region->run(context, std::span<void* const>(in).subspan(next_in, ins),
                    std::span<void* const>(out).subspan(next_out, outs));
        next_in += ins;
        next_out += outs;
    }
    context.recorder = recorder;
}

void Plan::run_kernel_step(Context& context, Step& step) {
    const ir::Node& n = *step.node;
    SmallVector<KernelTensor, 8> in;
    SmallVector<KernelTensor, 4> out;
    for (std::size_t i = 0; i < step.inputs.size(); ++i) {
        in.push_back(step.inputs[i] == kAbsent ? KernelTensor{}
                                               : KernelTensor{data_[step.inputs[i]], &step.input_types[i]});
    }
    for (std::size_t o = 0; o < step.outputs.size(); ++o) out.push_back({data_[step.outputs[o]], &n.types[o]});
    if (n.op->kernel) {
        RandomState random;
        if (n.op->schema.traits.random) random = {context.seed, context.random_ops++};
        n.op->kernel({in, out, n.attrs, random});
        return;
    }
    // No kernel of its own: its parts, on tensors that look at our slots.
    std::vector<Tensor> inputs(in.size()), outputs(out.size());
    for (std::size_t i = 0; i < in.size(); ++i) {
        if (in[i].data) inputs[i] = Tensor::from_bytes(in[i].dtype(), in[i].shape(), in[i].data);
    }
    for (std::size_t o = 0; o < out.size(); ++o) outputs[o] = Tensor::empty(out[o].dtype(), out[o].shape());
    run_kernel(context, *n.op, inputs, n.attrs, outputs);
    for (std::size_t o = 0; o < out.size(); ++o)
        std::memcpy(out[o].data, outputs[o].impl()->raw(), outputs[o].type().bytes());
}

void Plan::run_cond(Context& context, Step& step) {
    const TensorType& type = step.input_types[0];
    const bool yes = Tensor::from_bytes(type.dtype, type.shape, data_[step.inputs[0]]).item() != 0;
    SmallVector<void*, 16> in;
    SmallVector<void*, 8> out;
    for (std::size_t i = 1; i < step.inputs.size(); ++i) in.push_back(data_[step.inputs[i]]);
    for (std::uint32_t s : step.outputs) out.push_back(data_[s]);
    step.regions[yes ? 0 : 1]->run(context, in, out);
}

void Plan::run_loop(Context& context, Step& step) {
    Plan& condition = *step.regions[0];
    Plan& body = *step.regions[1];
    const std::size_t state = step.outputs.size();
    // The state lives in two sets of buffers that take turns; the outputs are one of them.
    std::vector<StorageRef> spare;
    SmallVector<void*, 16> now, next;
    for (std::size_t i = 0; i < step.inputs.size(); ++i) now.push_back(data_[step.inputs[i]]);
    next = now;
    SmallVector<void*, 16> set[2];
    for (std::size_t i = 0; i < state; ++i) {
        const std::size_t bytes = step.node->types[i].bytes();
        spare.emplace_back(allocator::allocate(bytes, context.device));
        set[0].push_back(data_[step.outputs[i]]);
        set[1].push_back(spare.back()->data());
    }
    alignas(8) unsigned char test[8] = {};
    const TensorType& test_type = condition.graph().outputs[0].type();
    void* test_at[1] = {test};
    int turn = 0;
    for (;;) {
        condition.run(context, now, test_at);
        if (Tensor::from_bytes(test_type.dtype, test_type.shape, test).item() == 0) break;
        SmallVector<void*, 8> out;
        for (std::size_t i = 0; i < state; ++i) out.push_back(set[turn][i]);
        body.run(context, now, out);
        for (std::size_t i = 0; i < state; ++i) now[i] = out[i];
        turn ^= 1;
    }
    for (std::size_t i = 0; i < state; ++i) {
        if (now[i] != data_[step.outputs[i]]) std::memcpy(data_[step.outputs[i]], now[i], step.node->types[i].bytes());
    }
}

void Plan::publish_step(Context& context, Step& step, std::int64_t start) {
    const ir::Node& n = *step.node;
    Execution e;
    e.op = n.op;
    e.kind = kind_of(n, context.recorder);
    e.node = n.id;
    e.mode = ExecMode::graph;
    e.launch_ns = e.start_ns = start;
    e.end_ns = now_ns();
    e.cost = step.cost;
    e.frame = n.frame;
    e.scope = n.scope;
    e.phase = n.phase;
    const std::string name(n.op_name());
    e.name = name;
    // The watch looks at tensors; these are copies only when something is looked at.
    std::vector<Tensor> inputs, outputs;
    for (std::size_t o = 0; o < step.outputs.size(); ++o) {
        if (context.watch == Watch::off) break;
        outputs.push_back(Tensor::from_bytes(n.types[o].dtype, n.types[o].shape, data_[step.outputs[o]]));
    }
    for (std::size_t i = 0; i < step.inputs.size() && context.watch != Watch::off; ++i) {
        inputs.emplace_back();
        if (step.inputs[i] == kAbsent) continue;
        inputs.back() = Tensor::from_bytes(step.input_types[i].dtype, step.input_types[i].shape, data_[step.inputs[i]]);
    }
    publish(context, e, inputs, outputs);
}

}  // namespace fusescope::exec
