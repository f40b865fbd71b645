#include "engine/exec/watch.hpp"

#include "engine/core/tensor_impl.hpp"
#include "engine/cpu/health.hpp"

namespace fusescope::exec {
namespace {

constexpr std::uint8_t bit(HealthBits b) { return static_cast<std::uint8_t>(b); }

std::uint8_t bits_of(const TensorHealth& h) {
    const int bad = (h.nan ? bit(HealthBits::nan) : 0) | (h.inf ? bit(HealthBits::inf) : 0);
    return bad ? static_cast<std::uint8_t>(bad) : bit(HealthBits::clean);
}

// Fresh: a NaN that no input had, or an Inf made of finite inputs.
struct Born {
    bool nan, inf;
};
Born born_of(const TensorHealth& h, std::span<const Seen> inputs) {
    std::uint8_t before = 0;
    for (const Seen& t : inputs) {
        if (t.type && is_float(t.type->dtype)) before |= look(t);
    }
    return {h.nan && !(before & bit(HealthBits::nan)),
            h.inf && !(before & (bit(HealthBits::nan) | bit(HealthBits::inf)))};
}

Shape index_of(std::int64_t flat, const Shape& shape) {
    Shape index(shape.size(), 0);
    for (std::size_t k = shape.size(); k-- > 0;) {
        index[k] = flat % shape[k];
        flat /= shape[k];
    }
    return index;
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

void report_birth(Context& context, const Execution& x, EventId event, std::span<const Seen> inputs, const Seen& out,
                  const TensorHealth& h, bool nan_born) {
    Finding f;
    f.kind = nan_born ? FindingKind::nan : FindingKind::inf;
    f.severity = Severity::error;
    f.phase = x.phase;
    f.op_event = event;
    f.frame = x.frame;
    f.op = x.name;
    f.step = context.step;
    f.count = nan_born ? h.nan : h.inf;
    f.rule = nan_born ? "nan_born" : "inf_born";
    const Shape index = index_of(h.first_bad_index, out.type->shape);
    f.index.assign(index.begin(), index.end());
    f.has_index = true;
    for (const Seen& t : inputs) {
        if (t.type) f.shapes.push_back(to_string(t.type->shape));
    }
    if (x.op) {
        for (const Hazard& hazard : x.op->hazards) {
            if ((nan_born && hazard.makes_nan) || (!nan_born && hazard.makes_inf)) {
                f.rule = hazard.rule;
                break;
            }
        }
    }
    context.recorder->finding(f);
}

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

bool report_if_born(Context& context, const Execution& x, EventId event, std::span<const Seen> inputs,
                    const Seen& out) {
    if (!is_float(out.type->dtype)) return false;
    TensorHealth h;
    cpu::scan(out.type->dtype, out.data, out.type->shape.count(), false, h);
    *out.health = bits_of(h);
    if (!h.nan && !h.inf) return false;
    const Born born = born_of(h, inputs);
    if (!born.nan && !born.inf) return false;
    report_birth(context, x, event, inputs, out, h, born.nan);
    return true;
}

void watch_input(Context& context, const Tensor& made) {
    if (!context.recorder || !looks_for_births(context.watch) || !is_float(made.dtype())) return;
    TensorImpl* impl = made.impl();
    TensorHealth h;
    cpu::scan(made.dtype(), impl->raw(), made.count(), false, h);
    impl->health = bits_of(h);
    if (!h.nan) return;
    Finding f;
    f.kind = FindingKind::nan;
    f.severity = Severity::warning;
    f.phase = Phase::input;
    f.frame = context.frame();
    f.op = "Tensor";
    f.step = context.step;
    f.count = h.nan;
    f.rule = "nan_in_input";
    const Shape index = index_of(h.first_bad_index, made.shape());
    f.index.assign(index.begin(), index.end());
    f.has_index = true;
    f.shapes = {to_string(made.shape())};
    context.recorder->finding(f);
}

void watch_outputs(Context& context, const Execution& x, const OpEvent& event, std::span<const Seen> inputs,
                   std::span<const Seen> outputs) {
    if (context.watch == Watch::bytes) return hand_over(context, event, outputs);
    bool explained = false;
    for (std::size_t o = 0; o < outputs.size(); ++o) {
        const Seen& out = outputs[o];
        if (!is_float(out.type->dtype)) continue;
        const std::int64_t n = out.type->shape.count();
        TensorHealth h;
        h.op_event = event.id;
        h.output = static_cast<std::uint16_t>(o);
        cpu::scan(out.type->dtype, out.data, n, context.watch >= Watch::stats, h);
        *out.health = bits_of(h);
        context.recorder->tensor(h, out.type->shape, context.watch == Watch::values ? out.data : nullptr);
        if (!h.nan && !h.inf) continue;
        const Born born = born_of(h, inputs);
        if (!born.nan && !born.inf) continue;
        if (!explained && x.members) explained = x.members->report_births(event.id);
        if (!explained) report_birth(context, x, event.id, inputs, out, h, born.nan);
    }
}

}  // namespace fusescope::exec
