// Running a plan's steps; how they were laid out is in plan.cpp.
#include <cstring>
#include <unordered_set>
#include <utility>

#include "engine/core/convert.hpp"
#include "engine/core/debug_hook.hpp"
#include "engine/core/tensor_impl.hpp"
#include "engine/exec/dispatch.hpp"
#include "engine/exec/failed_call.hpp"
#include "engine/exec/kinds.hpp"
#include "engine/exec/memory_watch.hpp"
#include "engine/exec/plan.hpp"
#include "engine/exec/unfused.hpp"
#include "fusescope/error.hpp"

namespace fusescope::exec {
namespace {

// The members of a kernel are one event, the kernel's.
struct Unrecorded {
    Context& context;
    Recorder* recorder;
    explicit Unrecorded(Context& c) : context(c), recorder(std::exchange(c.recorder, nullptr)) { c.update(); }
    ~Unrecorded() {
        context.recorder = recorder;
        context.update();
    }
};

// Of those inputs that the region reads; the others are undefined. A loop's condition reads little of its state.
std::vector<Tensor> copies(Context& context, const ir::Graph& region, std::span<void* const> inputs) {
    std::unordered_set<const ir::Node*> read;
    for (const ir::Value& v : region.outputs) read.insert(v.node.get());
    for (const ir::NodePtr& n : region.nodes) {
        for (const ir::Value& v : n->inputs) read.insert(v.node.get());
    }
    std::vector<Tensor> values(region.inputs.size());
    for (std::size_t i = 0; i < region.inputs.size(); ++i) {
        if (!read.contains(region.inputs[i].get())) continue;
        const TensorType& type = region.inputs[i]->types[0];
        values[i] = make_tensor(type.dtype, type.shape, context.device);
        std::memcpy(values[i].impl()->raw(), inputs[i], type.bytes());
    }
    return values;
}

// A region of a loop: as it was compiled, or op by op when somebody came to look while the loop runs.
void run_turn(Context& context, Plan& region, std::span<void* const> inputs, std::span<void* const> outputs) {
    if (!context.hook || !context.hook->op_by_op()) return region.run(context, inputs, outputs);
    UnfusedRun run(context, region.graph(), copies(context, region.graph(), inputs));
    run.all();
    const std::vector<Tensor> results = run.outputs();
    for (std::size_t i = 0; i < results.size(); ++i) {
        std::memcpy(outputs[i], results[i].impl()->raw(), region.graph().outputs[i].type().bytes());
    }
}

bool truth(const TensorType& type, const void* p) { return load_double(type.dtype, p, 0) != 0; }

}  // namespace

void Plan::place_slots(Context& context, std::span<void* const> inputs, std::span<void* const> outputs) {
    if (own_arena_ > 0 && (!arena_ || arena_->device != context.device)) {
        arena_ = StorageRef(allocator::allocate(static_cast<std::size_t>(own_arena_), context.device));
    }
    char* const arena = arena_ ? static_cast<char*>(arena_->data()) : nullptr;
    for (std::size_t i = 0; i < slots_.size(); ++i) {
        const Slot& s = slots_[i];
        switch (s.place) {
            case Slot::Place::input:
                data_[i] = inputs[s.number];
                break;
            case Slot::Place::constant: {
                Tensor& c = constants_[s.number];
                if (c.device() != context.device) c = transfer_tensor(c, context.device, TransferReason::input);
                data_[i] = c.impl()->raw();
                break;
            }
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
}

void Plan::run(Context& context, std::span<void* const> inputs, std::span<void* const> outputs) {
    {
        const RunningOp first(context);  // the plan's memory counts as its first step's
        place_slots(context, inputs, outputs);
    }
    if (!context.recorder) {
        for (Step& step : steps_) {
            if (!step.view) run_step(context, step);
        }
    } else {
        const bool births = looks_for_births(context.watch);
        if (births) health_.assign(slots_.size(), 0);
        for (Step& step : steps_) {
            if (step.view) continue;
            if (births) look_before(step);
            const std::int64_t start = now_ns();
            {
                const RunningOp running(context);
                run_step(context, step);
            }
            publish_step(context, step, start);
        }
    }
    for (const auto& [slot, number] : copies_) {
        if (outputs[number] != data_[slot]) std::memcpy(outputs[number], data_[slot], slots_[slot].type.bytes());
    }
}

void Plan::run_step(Context& context, Step& step) {
    try {
        compute_step(context, step);
    } catch (UserError& e) {
        if (e.frame() == 0) e.set_frame(step.node->frame);
        SmallVector<void*, 8> operands;
        for (std::uint32_t s : step.inputs) operands.push_back(s == kAbsent ? nullptr : data_[s]);
        rethrow(e, *step.node, std::span<void* const>(operands.data(), operands.size()));
    }
}

void Plan::compute_step(Context& context, Step& step) {
    switch (step.node->kind) {
        case ir::NodeKind::op:
            if (step.node->op->kernel) return run_kernel(context, step);
            return step.regions.empty() ? run_decomposed(context, step) : run_members(context, step);
        case ir::NodeKind::cond:
            return run_cond(context, step);
        case ir::NodeKind::loop:
            return run_loop(context, step);
        default:
            break;
    }
    if (!step.fused) return run_members(context, step);
    SmallVector<void*, 16> in;
    SmallVector<void*, 8> out;
    for (std::uint32_t s : step.inputs) in.push_back(data_[s]);
    for (std::uint32_t s : step.outputs) out.push_back(data_[s]);
    step.fused->run(in, out);
}

// Several regions take their inputs and outputs one after the other.
void Plan::run_members(Context& context, Step& step) {
    SmallVector<void*, 16> in;
    SmallVector<void*, 8> out;
    const bool whole = step.node->kind == ir::NodeKind::fused;
    for (std::uint32_t s : step.inputs) in.push_back(s == kAbsent ? nullptr : data_[s]);
    for (std::uint32_t s : step.outputs) out.push_back(data_[s]);
    const Unrecorded quiet(context);
    std::size_t next_in = 0, next_out = 0;
    for (const auto& region : step.regions) {
        const std::size_t ins = region->graph().inputs.size(), outs = region->graph().outputs.size();
        if (whole) {
            region->run(context, std::span<void* const>(in.data(), in.size()).subspan(next_in, ins),
                        std::span<void* const>(out.data(), out.size()).subspan(next_out, outs));
        } else {
            // A decomposition has no input for an operand that is absent.
            SmallVector<void*, 16> given;
            for (void* p : in) {
                if (p) given.push_back(p);
            }
            region->run(context, std::span<void* const>(given.data(), given.size()),
                        std::span<void* const>(out.data(), out.size()));
        }
        next_in += ins;
        next_out += outs;
    }
}

void Plan::run_kernel(Context& context, Step& step) {
    const ir::Node& n = *step.node;
    SmallVector<KernelTensor, 8> in;
    SmallVector<KernelTensor, 4> out;
    for (std::size_t i = 0; i < step.inputs.size(); ++i) {
        in.push_back(step.inputs[i] == kAbsent ? KernelTensor{}
                                               : KernelTensor{data_[step.inputs[i]], &step.input_types[i]});
    }
    for (std::size_t o = 0; o < step.outputs.size(); ++o) out.push_back({data_[step.outputs[o]], &n.types[o]});
    RandomState random;
    if (n.op->schema.traits.random) random = {context.seed, context.random_ops++};
    n.op->kernel({in, out, n.attrs, random});
}

// A decomposition that looks at its operands: it gets tensors.
void Plan::run_decomposed(Context& context, Step& step) {
    const ir::Node& n = *step.node;
    std::vector<Tensor> inputs(step.inputs.size()), outputs(step.outputs.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (step.inputs[i] == kAbsent) continue;
        const TensorType& type = step.input_types[i];
        inputs[i] = make_tensor(type.dtype, type.shape, context.device);
        std::memcpy(inputs[i].impl()->raw(), data_[step.inputs[i]], type.bytes());
    }
    fusescope::exec::run_kernel(context, *n.op, inputs, n.attrs, outputs);
    for (std::size_t o = 0; o < outputs.size(); ++o) {
        std::memcpy(data_[step.outputs[o]], outputs[o].impl()->raw(), n.types[o].bytes());
    }
}

void Plan::run_cond(Context& context, Step& step) {
    const bool yes = truth(step.input_types[0], data_[step.inputs[0]]);
    SmallVector<void*, 16> in;
    SmallVector<void*, 8> out;
    for (std::size_t i = 1; i < step.inputs.size(); ++i) in.push_back(data_[step.inputs[i]]);
    for (std::uint32_t s : step.outputs) out.push_back(data_[s]);
    if (context.recorder) context.recorder->region_run(step.node->id, yes ? 0 : 1);
    step.regions[yes ? 0 : 1]->run(context, in, out);
}

void Plan::run_loop(Context& context, Step& step) {
    Plan& condition = *step.regions[0];
    Plan& body = *step.regions[1];
    const std::size_t state = step.outputs.size();
    // The state lives in two sets of buffers that take turns; the outputs are one of them.
    std::vector<StorageRef> spare;
    SmallVector<void*, 16> now;
    for (std::uint32_t s : step.inputs) now.push_back(data_[s]);
    SmallVector<void*, 16> set[2];
    for (std::size_t i = 0; i < state; ++i) {
        spare.emplace_back(allocator::allocate(step.node->types[i].bytes(), context.device));
        set[0].push_back(data_[step.outputs[i]]);
        set[1].push_back(spare.back()->data());
    }
    alignas(8) unsigned char test[8] = {};
    const TensorType& test_type = condition.graph().outputs[0].type();
    void* test_at[1] = {test};
    for (int turn = 0;; turn ^= 1) {
        if (context.between_turns) context.between_turns();
        if (context.hook) context.hook->loop_turns();
        if (context.recorder) context.recorder->region_run(step.node->id, 0);
        run_turn(context, condition, now, test_at);
        if (!truth(test_type, test)) {
            if (context.hook && context.recorder) {
                context.hook->loop_ended(condition.graph(), copies(context, condition.graph(), now));
            }
            break;
        }
        if (context.recorder) context.recorder->region_run(step.node->id, 1);
        run_turn(context, body, now, set[turn]);
        for (std::size_t i = 0; i < state; ++i) now[i] = set[turn][i];
    }
    for (std::size_t i = 0; i < state; ++i) {
        if (now[i] != data_[step.outputs[i]]) std::memcpy(data_[step.outputs[i]], now[i], step.node->types[i].bytes());
    }
}

std::uint8_t Plan::health_of_result(std::size_t output) const noexcept {
    if (health_.empty()) return 0;
    const std::size_t outputs = graph_->outputs.size();
    return health_[root(slot_of(output < outputs ? graph_->outputs[output] : graph_->updates[output - outputs].value))];
}

// An operand that the step overwrites can't be looked at afterwards.
void Plan::look_before(const Step& step) {
    for (std::size_t i = 0; i < step.inputs.size(); ++i) {
        if (step.inputs[i] == kAbsent || !is_float(step.input_types[i].dtype)) continue;
        const std::uint32_t s = root(step.inputs[i]);
        if (health_[s]) continue;
        if (step.fused && step.fused->found_in_input(i) != FusedKernel::Found::unknown) continue;  // it looks by itself
        for (std::uint32_t o : step.outputs) {
            if (data_[o] == data_[s]) {
                look({&step.input_types[i], data_[s], &health_[s], false});
                break;
            }
        }
    }
}

// Before outputs are told of: one may share a slot with the input that it has replaced.
void Plan::take_found(const Step& step) {
    const auto bit = [](HealthBits b) { return static_cast<std::uint8_t>(b); };
    for (std::size_t i = 0; i < step.inputs.size(); ++i) {
        const FusedKernel::Found found = step.fused->found_in_input(i);
        if (found == FusedKernel::Found::unknown || !is_float(step.input_types[i].dtype)) continue;
        std::uint8_t& health = health_[root(step.inputs[i])];
        if (health) continue;
        health = found == FusedKernel::Found::finite ? bit(HealthBits::clean)
                 : found == FusedKernel::Found::inf
                     ? bit(HealthBits::inf)
                     : static_cast<std::uint8_t>(bit(HealthBits::nan) | bit(HealthBits::inf));
    }
}

void Plan::publish_step(Context& context, Step& step, std::int64_t start) {
    const ir::Node& n = *step.node;
    if (told_ != context.recorder) {
        told_ = context.recorder;
        for (const Step& s : steps_) {
            if (s.kind >= kFirstFusedKind) told_->define_kind(s.kind, s.node->op_name());
        }
    }
    Execution e;
    e.op = n.op;
    e.kind = step.kind;
    e.node = n.id;
    e.mode = ExecMode::graph;
    e.launch_ns = e.start_ns = start;
    e.end_ns = now_ns();
    e.cost = step.cost;
    e.frame = n.frame;
    e.scope = n.scope;
    e.phase = n.phase;
    e.name = n.op_name();
    const bool births = looks_for_births(context.watch);
    if (births && step.fused) take_found(step);
    SmallVector<Seen, 8> in;
    SmallVector<Seen, 4> out;
    for (std::size_t o = 0; o < step.outputs.size(); ++o) {
        const std::uint32_t s = step.outputs[o];
        const bool known_finite = step.fused && step.fused->found_in_output(o) == FusedKernel::Found::finite;
        out.push_back({&n.types[o], data_[s], health_.empty() ? nullptr : &health_[s], false, known_finite});
    }
    for (std::size_t i = 0; i < step.inputs.size() && births; ++i) {
        if (step.inputs[i] == kAbsent) {
            in.push_back({});
            continue;
        }
        const std::uint32_t s = root(step.inputs[i]);
        in.push_back({&step.input_types[i], data_[s], &health_[s], false});
    }
    publish(context, e, std::span<const Seen>(in.data(), in.size()), std::span<const Seen>(out.data(), out.size()));
}

}  // namespace fusescope::exec
