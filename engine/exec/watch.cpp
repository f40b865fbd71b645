#include "engine/exec/watch.hpp"

#include <cmath>

#include "engine/core/convert.hpp"
#include "engine/core/tensor_impl.hpp"
#include "engine/cpu/health.hpp"

namespace fusescope::exec {
namespace {

constexpr std::uint8_t bit(HealthBits b) { return static_cast<std::uint8_t>(b); }

std::uint8_t bits_of(const TensorHealth& h) {
    const int bad = (h.nan ? bit(HealthBits::nan) : 0) | (h.inf ? bit(HealthBits::inf) : 0);
    return bad ? static_cast<std::uint8_t>(bad) : bit(HealthBits::clean);
}

// Fresh: a NaN that no input had, or an Inf made of finite inputs. What has no inputs was told to make it: a mask.
struct Born {
    bool nan, inf;
};
Born born_of(const TensorHealth& h, std::span<const Seen> inputs) {
    std::uint8_t before = 0;
    bool any = false;
    for (const Seen& t : inputs) {
        if (!t.type) continue;
        any = true;
        if (is_float(t.type->dtype)) before |= look(t);
    }
    return {h.nan && !(before & bit(HealthBits::nan)),
            any && h.inf && !(before & (bit(HealthBits::nan) | bit(HealthBits::inf)))};
}

}  // namespace

Seen seen(const Tensor& t) {
    if (!t.defined()) return {};
    TensorImpl* i = t.impl();
    const bool concrete = !i->pending && i->storage;
    return {&i->type, concrete ? i->raw() : nullptr, &i->health, i->parameter != nullptr};
}

std::uint8_t look(const Seen& t) {
    if (!t.data) return *t.health;
    if (!*t.health || t.may_change) {
        TensorHealth h;
        cpu::scan(t.type->dtype, t.data, t.type->shape.count(), false, h);
        *t.health = bits_of(h);
    }
    return *t.health;
}

namespace {

void hand_over(Context& context, const OpEvent& event, std::span<const Seen> outputs) {
    for (std::size_t o = 0; o < outputs.size(); ++o) {
        const TensorType& type = *outputs[o].type;
        TensorHealth h;
        h.op_event = event.id;
        h.output = static_cast<std::uint16_t>(o);
        h.dtype = type.dtype;
        h.count = type.shape.count();
        context.recorder->tensor(h, type.shape, outputs[o].data);
    }
}

}  // namespace

void watch_input(Context& context, const Tensor& made, const std::function<Tensor()>& exact) {
    if (!context.hook) return;
    std::uint8_t health = 0;
    if (looks_for_births(context.watch) && is_float(made.dtype())) health = look(seen(made));
    if (!(health & bit(HealthBits::inf)) || made.dtype() == DType::Float64) return context.hook->input_made(made);
    const Tensor as_given = exact();
    Overflowed over;
    for (std::int64_t i = 0; i < made.count(); ++i) {
        const double v = load_double(as_given.dtype(), as_given.impl()->raw(), i);
        if (!std::isinf(load_double(made.dtype(), made.impl()->raw(), i)) || std::isinf(v)) continue;
        if (over.count++ == 0) over = {i, 1, v};
    }
    if (over.count == 0) return context.hook->input_made(made);
    context.hook->input_overflowed(made, over);
}

void watch_outputs(Context& context, const Execution& x, const OpEvent& event, std::span<const Seen> inputs,
                   std::span<const Seen> outputs) {
    if (context.watch == Watch::bytes) return hand_over(context, event, outputs);
    for (std::size_t o = 0; o < outputs.size(); ++o) {
        const Seen& out = outputs[o];
        // Ints cannot be NaN: without statistics or values there is nothing to tell of them.
        if (!is_float(out.type->dtype) && context.watch < Watch::stats) continue;
        const std::int64_t n = out.type->shape.count();
        TensorHealth h;
        h.op_event = event.id;
        h.output = static_cast<std::uint16_t>(o);
        if (out.known_finite && context.watch < Watch::stats) {
            h.dtype = out.type->dtype;
            h.count = n;
        } else {
            cpu::scan(out.type->dtype, out.data, n, context.watch >= Watch::stats, h);
        }
        *out.health = bits_of(h);
        context.recorder->tensor(h, out.type->shape, context.watch == Watch::values ? out.data : nullptr);
        if (!h.nan && !h.inf) continue;
        const Born born = born_of(h, inputs);
        if (!context.hook || x.node == 0) continue;
        if (h.nan) context.hook->born({event.id, x.node, x.name, x.frame, x.phase, o, true, !born.nan, h});
        if (h.inf) context.hook->born({event.id, x.node, x.name, x.frame, x.phase, o, false, !born.inf, h});
    }
}

}  // namespace fusescope::exec
