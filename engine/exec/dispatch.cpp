#include "engine/exec/dispatch.hpp"

#include <atomic>
#include <chrono>
#include <utility>

#include "engine/core/promote.hpp"
#include "engine/core/small_tensors.hpp"
#include "engine/core/tensor_impl.hpp"
#include "engine/exec/device_model.hpp"
#include "engine/exec/failed_call.hpp"
#include "engine/exec/kinds.hpp"
#include "engine/exec/memory_watch.hpp"
#include "engine/exec/producers.hpp"
#include "engine/exec/watch.hpp"
#include "engine/ir/graph.hpp"
#include "engine/ops/op_ids.hpp"

namespace fusescope {

std::vector<Tensor> apply(const OpDef& op, std::span<const Tensor> inputs, const Attrs& attrs) {
    std::vector<Tensor> in(inputs.begin(), inputs.end());
    std::vector<Tensor> out;
    exec::dispatch(Context::current(), op, in, attrs, out);
    return out;
}

Tensor apply1(const OpDef& op, std::span<const Tensor> inputs, const Attrs& attrs) {
    SmallTensors in(inputs);
    return exec::dispatch1(Context::current(), op, in.span(), attrs);
}

namespace exec {
bool accepts(Accept a, DType d) noexcept {
    switch (a) {
        case Accept::any:
            return true;
        case Accept::number:
            return d != DType::Bool;
        case Accept::floating:
            return is_float(d);
        case Accept::integer:
            return is_int(d);
        case Accept::integer_or_bool:
            return is_int(d) || d == DType::Bool;
        case Accept::boolean:
            return d == DType::Bool;
        case Accept::index:
            return d == DType::Int32 || d == DType::Int64;
    }
    return false;
}

namespace {

const char* words_of(Accept a) noexcept {
    switch (a) {
        case Accept::any:
            return "any";
        case Accept::number:
            return "numbers (int or float)";
        case Accept::floating:
            return "floats";
        case Accept::integer:
            return "ints";
        case Accept::integer_or_bool:
            return "ints or Bool";
        case Accept::boolean:
            return "Bool";
        case Accept::index:
            return "Int32 or Int64";
    }
    return "";
}

const Operand& operand_of(const OpDef& op, std::size_t i) {
    const auto& operands = op.schema.operands;
    return i < operands.size() ? operands[i] : operands.back();
}

void check_dtypes(const OpDef& op, std::span<const Tensor> inputs) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (!inputs[i].defined()) continue;
        const Operand& o = operand_of(op, i);
        if (accepts(o.accept, inputs[i].dtype())) continue;
        throw UserError(ErrorKind::dtype, op.name(),
                        op.name() + ": `" + o.name + "` is " + std::string(name_of(inputs[i].dtype())) +
                            " with shape " + to_string(inputs[i].shape()) + ", but the op takes " + words_of(o.accept),
                        {to_string(inputs[i].shape())}, "cast it first, for example with .astype(ms.float32)");
    }
}

// Casts the operands that share a dtype to the one they promote to.
void promote_operands(Context& context, const OpDef& op, std::span<Tensor> inputs) {
    bool any = false;
    DType common = DType::Bool;
    bool fixed = false;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (!inputs[i].defined() || operand_of(op, i).accept == Accept::boolean) continue;
        if (op.schema.traits.writes) {
            // A Parameter keeps its dtype; the others come to it.
            if (i == 0) {
                common = inputs[0].dtype();
                fixed = any = true;
            }
            continue;
        }
        common = any ? promote(common, inputs[i].dtype()) : inputs[i].dtype();
        any = true;
    }
    if (!any) return;
    if (op.schema.ints_become_float && !is_float(common) && !fixed) common = DType::Float32;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        Tensor& t = inputs[i];
        if (!t.defined() || t.dtype() == common) continue;
        const Accept a = operand_of(op, i).accept;
        if (a == Accept::boolean) continue;
        if (common == DType::Bool && !accepts(a, common)) {
            continue;  // reported by check_dtypes with the operand's own dtype
        }
        Tensor in[1] = {t};
        t = dispatch1(context, op_row(op::cast), in, Attrs{common});
    }
}

void infer(const OpDef& op, std::span<const Tensor> inputs, const Attrs& attrs, std::vector<TensorType>& outputs) {
    TensorType types[8];
    bool present[8];
    std::vector<TensorType> more;
    std::unique_ptr<bool[]> more_present;
    std::span<TensorType> in(types, std::min<std::size_t>(inputs.size(), 8));
    bool* given = present;
    if (inputs.size() > 8) {
        more.resize(inputs.size());
        more_present = std::make_unique<bool[]>(inputs.size());
        in = more;
        given = more_present.get();
    }
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        given[i] = inputs[i].defined();
        if (given[i]) in[i] = inputs[i].type();
    }
    InferContext c{op, in, {given, inputs.size()}, attrs, outputs};
    op.infer(c);
    // Also of values that only wait: their memory is planned later, when nobody can refuse it any more.
    for (const TensorType& t : outputs) checked_bytes(op.name(), t.dtype, t.shape);
}

void record_tapes(Context& context, const OpDef& op, std::span<const Tensor> inputs, std::span<const Tensor> outputs,
                  const Attrs& attrs) {
    for (TapeSink* tape : context.tapes) tape->record(op, inputs, outputs, attrs);
}

// Nobody differentiates meanwhile.
struct Untaped {
    Context& c;
    std::vector<TapeSink*> tapes;
    explicit Untaped(Context& context) : c(context), tapes(std::move(context.tapes)) {
        c.tapes.clear();
        c.update();
    }
    ~Untaped() {
        c.tapes = std::move(tapes);
        c.update();
    }
};

// What runs meanwhile is part of a composite, or of the gradient that runs anyway.
struct PartsOf {
    Context& c;
    const OpDef* before;
    PartsOf(Context& context, const OpDef& op) : c(context), before(context.part_of) {
        if (!before) c.part_of = &op;
    }
    ~PartsOf() { c.part_of = before; }
};

// Decompositions run with recording off: the event is the op's, not its parts'.
struct Quiet {
    Untaped untaped;
    Recorder* recorder;
    DebugHook* hook;
    explicit Quiet(Context& context)
        : untaped(context),
          recorder(std::exchange(context.recorder, nullptr)),
          hook(std::exchange(context.hook, nullptr)) {
        context.update();
    }
    ~Quiet() {
        untaped.c.recorder = recorder;  // untaped updates the context
        untaped.c.hook = hook;
    }
};

}  // namespace

std::int64_t now_ns() noexcept {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

void run_kernel(Context& context, const OpDef& op, std::span<const Tensor> inputs, const Attrs& attrs,
                std::span<Tensor> outputs) {
    if (!op.kernel) {
        Quiet quiet(context);
        std::vector<Tensor> made = op.decompose(inputs, attrs);
        for (std::size_t i = 0; i < outputs.size(); ++i) outputs[i] = std::move(made[i]);
        return;
    }
    SmallVector<KernelTensor, 8> in;
    SmallVector<KernelTensor, 4> out;
    for (const Tensor& t : inputs) {
        in.push_back(t.defined() ? KernelTensor{t.impl()->raw(), &t.type()} : KernelTensor{nullptr, nullptr});
    }
    for (const Tensor& t : outputs) out.push_back({t.impl()->raw(), &t.type()});
    RandomState random;
    if (op.schema.traits.random) random = {context.seed, context.random_ops++};
    op.kernel({in, out, attrs, random});
}

void assign_in_place(Context& context, const Tensor& target, const Tensor& value) {
    if (same(target, value)) return;
    if (context.trace) context.trace->assigning(target);
    for (TapeSink* tape : context.tapes) tape->assigning(target, value);
    assign_value(target, value);
}

namespace {

EventId publish_op(Context& context, const OpCall& call, std::int64_t launch, std::span<Tensor> outputs) {
    const OpDef& op = call.op;
    Execution e;
    e.op = &op;
    e.kind = static_cast<KindId>(op.id) + 1;
    e.node = call.node ? call.node->id : 0;
    e.mode = call.node ? ExecMode::graph : ExecMode::eager;
    e.launch_ns = e.start_ns = launch;
    e.end_ns = now_ns();
    e.frame = call.frame;
    e.scope = call.scope;
    e.phase = call.phase;
    e.name = op.name();
    for (const Tensor& t : call.inputs) e.cost.bytes_read += t.defined() ? t.type().bytes() : 0;
    for (const TensorType& t : call.results) e.cost.bytes_written += t.bytes();
    if (op.cost) {
        SmallTypes in(call.inputs);
        op.cost(in.span(), call.results, call.attrs, e.cost);
    }
    return publish(context, e, call.inputs, outputs);
}

}  // namespace

void compute(Context& context, const OpCall& call, std::vector<Tensor>& outputs) {
    const OpDef& op = call.op;
    if (op.schema.traits.view && op.kernel == nullptr && op.decompose == nullptr) {
        outputs.push_back(alias_tensor(call.inputs[0], call.results[0].shape));
        return;
    }
    for (const TensorType& t : call.results) outputs.push_back(make_tensor(t.dtype, t.shape, context.device));
    run_kernel(context, op, call.inputs, call.attrs, outputs);
}

void run_op(Context& context, const OpCall& call, std::vector<Tensor>& outputs) {
    const OpDef& op = call.op;
    if (context.hook) {
        context.hook->before_op(call);
        context.take_turn();  // somebody may have looked at the program meanwhile, and other threads may have run
    }
    EventId event = 0;
    {
        const RunningOp running(context);
        const std::int64_t launch = context.recorder ? now_ns() : 0;
        compute(context, call, outputs);
        if (context.recorder) event = publish_op(context, call, launch, outputs);
    }
    if (context.hook) {
        context.hook->after_op(call, outputs, event);
        context.take_turn();
    }
    if (call.node) return;
    for (std::size_t i = 0; i < op.schema.traits.writes; ++i) assign_value(call.inputs[i], outputs[i]);
}

namespace {

// The calling line, looked up once for all that asks for it while an op is dispatched.
struct CallingLine {
    Context& context;
    const bool mine;
    explicit CallingLine(Context& c) : context(c), mine(c.producers && !c.forced_frame) {
        if (mine) context.forced_frame = context.frame();
    }
    ~CallingLine() {
        if (mine) context.forced_frame = 0;
    }
};

void run_or_trace(Context& context, const OpDef& op, std::span<Tensor> inputs, const Attrs& attrs,
                  std::vector<Tensor>& outputs) {
    if (op.schema.promotes) promote_operands(context, op, inputs);
    check_dtypes(op, inputs);
    std::vector<TensorType> types;
    infer(op, inputs, attrs, types);
    if (op.decompose && !op.kernel && !op.schema.traits.writes) {
        // A composite is its parts: they are traced and recorded, and differentiated unless it has a gradient of its
        // own, which knows where theirs go wrong. One that looks at values cannot wait.
        if (op.schema.traits.host_value) {
            for (const Tensor& t : inputs) {
                if (t.defined() && t.is_pending()) t.impl()->pending->force(*t.impl(), TransferReason::graph_break);
            }
        }
        const PartsOf composite(context, op);
        if (op.grad == kNoGradient || context.tapes.empty()) {
            outputs = op.decompose(inputs, attrs);
            return;
        }
        {
            const Untaped parts(context);
            outputs = op.decompose(inputs, attrs);
        }
        record_tapes(context, op, inputs, outputs, attrs);
        return;
    }
    for (std::size_t i = 0; i < op.schema.traits.writes; ++i) {
        if (inputs[i].impl()->parameter) continue;
        if (context.trace) context.trace->assigning(inputs[i]);
        for (TapeSink* tape : context.tapes) tape->assigning(inputs[i], Tensor());
    }
    if (context.trace && !op.schema.traits.host_value) {
        outputs = context.trace->append(op, inputs, attrs, types);
        record_tapes(context, op, inputs, outputs, attrs);
        return;
    }
    // Handles keep operands alive; values that still wait in a trace are computed now.
    for (Tensor& t : inputs) {
        if (!t.defined()) continue;
        if (t.is_pending()) {
            t.impl()->pending->force(*t.impl(), TransferReason::graph_break);
        } else if (context.trace) {
            context.trace->looked_at(TransferReason::graph_break);
        }
        if (t.device() != context.device) {
            t = to_device(t, context.device, t.impl()->parameter ? TransferReason::parameter : TransferReason::input);
        }
    }
    const FrameId frame = context.recorder || context.hook ? context.frame() : 0;
    run_op(
        context,
        {op, attrs, inputs, types, frame, context.scope, context.phase, context.part_of, nullptr, context.random_ops},
        outputs);
    if (!context.tapes.empty()) record_tapes(context, op, inputs, outputs, attrs);
}

}  // namespace

void dispatch(Context& context, const OpDef& op, std::span<Tensor> inputs, const Attrs& attrs,
              std::vector<Tensor>& outputs) {
    const CallingLine line(context);
    try {
        run_or_trace(context, op, inputs, attrs, outputs);
    } catch (const UserError& e) {
        rethrow(e, context, op, inputs, attrs);
    }
    if (context.producers) context.producers->made(op, inputs, attrs, outputs, context.frame(), context.scope);
}

namespace {

// The shortest way with an event, for two operands of one type and shape.
Tensor recorded_alone(Context& context, const OpDef& op, std::span<Tensor> inputs, const Attrs& attrs) {
    const RunningOp running(context);
    TensorImpl* a = inputs[0].impl();
    TensorImpl* b = inputs[1].impl();
    Execution e;
    e.launch_ns = e.start_ns = now_ns();
    Tensor out = make_tensor(a->type.dtype, a->type.shape, DeviceKind::cpu);
    const KernelTensor in[2] = {{a->raw(), &a->type}, {b->raw(), &b->type}};
    const KernelTensor o[1] = {{out.impl()->raw(), &out.impl()->type}};
    op.kernel({in, o, attrs, {}});
    e.end_ns = now_ns();
    e.op = &op;
    e.kind = static_cast<KindId>(op.id) + 1;
    e.frame = context.frame();
    e.scope = context.scope;
    e.phase = context.phase;
    e.cost.bytes_written = a->type.bytes();
    e.cost.bytes_read = 2 * e.cost.bytes_written;
    if (op.cost) {
        const TensorType types[3] = {a->type, a->type, a->type};
        op.cost({types, 2}, {types + 2, 1}, attrs, e.cost);
    }
    publish(context, e, std::span<const Seen>(), std::span<const Seen>());
    return out;
}

}  // namespace

Tensor dispatch1(Context& context, const OpDef& op, std::span<Tensor> inputs, const Attrs& attrs) {
    if ((context.plain || context.unwatched) && inputs.size() == 2 && op.elementwise() && op.in_place &&
        attrs.size() == 0) {
        // Two operands of one type and shape, nobody watching: no inference is needed.
        TensorImpl* a = inputs[0].impl();
        TensorImpl* b = inputs[1].impl();
        if (a->type == b->type && !a->pending && !b->pending && a->device() == DeviceKind::cpu &&
            b->device() == DeviceKind::cpu && accepts(op.schema.operands[0].accept, a->type.dtype)) {
            if (!context.plain) return recorded_alone(context, op, inputs, attrs);
            Tensor out = make_tensor(a->type.dtype, a->type.shape, DeviceKind::cpu);
            const KernelTensor in[2] = {{a->raw(), &a->type}, {b->raw(), &b->type}};
            const KernelTensor o[1] = {{out.impl()->raw(), &out.impl()->type}};
            op.kernel({in, o, attrs, {}});
            return out;
        }
    }
    std::vector<Tensor> out;
    dispatch(context, op, inputs, attrs, out);
    return std::move(out[0]);
}

namespace {

// Threads are numbered from 0 in the order in which they first publish.
std::uint16_t thread_number() noexcept {
    static std::atomic<std::uint16_t> threads{0};
    thread_local constinit int number = -1;
    if (number < 0) number = threads.fetch_add(1, std::memory_order_relaxed);
    return static_cast<std::uint16_t>(number);
}

}  // namespace

EventId publish(Context& context, const Execution& x, std::span<const Seen> inputs, std::span<const Seen> outputs) {
    OpEvent e;
    e.id = ++context.last_event;
    e.node = x.node;
    e.kind = x.kind;
    e.launch_ns = x.launch_ns;
    e.start_ns = x.start_ns;
    e.duration_ns = x.end_ns - x.start_ns;
    e.bytes_read = x.cost.bytes_read;
    e.bytes_written = x.cost.bytes_written;
    e.flops = x.cost.flops;
    e.frame = x.frame;
    e.scope = x.scope;
    e.step = context.step;
    e.thread = thread_number();
    e.mode = x.mode;
    e.phase = x.phase;
    e.device = context.device;
    if (context.device == DeviceKind::ascend_model) {
        const bool half = !outputs.empty() && size_of(outputs[0].type->dtype) == 2;
        model_times(x, half, e);
    }
    context.recorder->op(e);
    if (context.watch != Watch::off) watch_outputs(context, x, e, inputs, outputs);
    return e.id;
}

EventId publish(Context& context, const Execution& x, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    if (context.watch == Watch::off && context.device == DeviceKind::cpu) {
        return publish(context, x, std::span<const Seen>(), std::span<const Seen>());
    }
    SmallVector<Seen, 8> in;
    SmallVector<Seen, 4> out;
    for (const Tensor& t : inputs) in.push_back(seen(t));
    for (const Tensor& t : outputs) out.push_back(seen(t));
    return publish(context, x, std::span<const Seen>(in), std::span<const Seen>(out));
}

void announce_kinds(Recorder& recorder) {
    for (const OpDef& op : OpTable::get().rows()) recorder.define_kind(static_cast<KindId>(op.id) + 1, op.name());
    announce_fused_kinds(recorder);
}

}  // namespace exec
}  // namespace fusescope
