#include "engine/exec/watch.hpp"

#include "engine/core/tensor_impl.hpp"
#include "engine/cpu/health.hpp"

namespace fusescope::exec {
namespace {

constexpr std::uint8_t bit(HealthBits b) { return static_cast<std::uint8_t>(b); }

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
        *t.health = static_cast<std::uint8_t>((h.nan ? bit(HealthBits::nan) : 0) | (h.inf ? bit(HealthBits::inf) : 0));
        if (!*t.health) *t.health = bit(HealthBits::clean);
    }
    return *t.health;
}

void watch_outputs(Context& context, const Execution& x, const OpEvent& event, std::span<const Seen> inputs,
                   std::span<const Seen> outputs) {
    for (std::size_t o = 0; o < outputs.size(); ++o) {
        const Seen& out = outputs[o];
        if (!is_float(out.type->dtype)) continue;
        const std::int64_t n = out.type->shape.count();
        TensorHealth h;
        h.op_event = event.id;
        h.output = static_cast<std::uint16_t>(o);
        cpu::scan(out.type->dtype, out.data, n, context.watch >= Watch::stats, h);
        *out.health =
            static_cast<std::uint8_t>((h.nan ? bit(HealthBits::nan) : 0) | (h.inf ? bit(HealthBits::inf) : 0));
        if (!*out.health) *out.health = bit(HealthBits::clean);
        context.recorder->tensor(h, out.type->shape, context.watch == Watch::values ? out.data : nullptr);
        if (!h.nan && !h.inf) continue;
        std::uint8_t before = 0;
        for (const Seen& t : inputs) {
            if (t.type && is_float(t.type->dtype)) before |= look(t);
        }
        // Fresh: a NaN that no input had, or an Inf made of finite inputs.
        const bool nan_born = h.nan && !(before & bit(HealthBits::nan));
        const bool inf_born = h.inf && !(before & (bit(HealthBits::nan) | bit(HealthBits::inf)));
        if (!nan_born && !inf_born) continue;
        Finding f;
        f.kind = nan_born ? FindingKind::nan : FindingKind::inf;
        f.severity = Severity::error;
        f.phase = x.phase;
        f.op_event = event.id;
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
}

}  // namespace fusescope::exec
