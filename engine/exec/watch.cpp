#include "engine/exec/watch.hpp"

#include "engine/core/tensor_impl.hpp"
#include "engine/cpu/health.hpp"

namespace fusescope::exec {
namespace {

constexpr std::uint8_t bit(HealthBits b) { return static_cast<std::uint8_t>(b); }

// Health of an operand, looked at now when nobody has.
std::uint8_t health_of(const Tensor& t) {
    TensorImpl* i = t.impl();
    if (i->pending || !i->storage) return i->health;
    if (!i->health || i->parameter) {
        TensorHealth h;
        cpu::scan(i->type.dtype, i->raw(), i->type.shape.count(), false, h);
        i->health = static_cast<std::uint8_t>((h.nan ? bit(HealthBits::nan) : 0) | (h.inf ? bit(HealthBits::inf) : 0));
        if (!i->health) i->health = bit(HealthBits::clean);
    }
    return i->health;
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

void watch_outputs(Context& context, const Execution& x, const OpEvent& event, std::span<const Tensor> inputs,
                   std::span<Tensor> outputs) {
    for (std::size_t o = 0; o < outputs.size(); ++o) {
        TensorImpl* out = outputs[o].impl();
        if (!is_float(out->type.dtype)) continue;
        const std::int64_t n = out->type.shape.count();
        TensorHealth h;
        h.op_event = event.id;
        h.output = static_cast<std::uint16_t>(o);
        cpu::scan(out->type.dtype, out->raw(), n, context.watch >= Watch::stats, h);
        out->health =
            static_cast<std::uint8_t>((h.nan ? bit(HealthBits::nan) : 0) | (h.inf ? bit(HealthBits::inf) : 0));
        if (!out->health) out->health = bit(HealthBits::clean);
        context.recorder->tensor(h, out->type.shape, context.watch == Watch::values ? out->raw() : nullptr);
        if (!h.nan && !h.inf) continue;
        std::uint8_t before = 0;
        for (const Tensor& t : inputs) {
            if (t.defined() && is_float(t.dtype())) before |= health_of(t);
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
        const Shape index = index_of(h.first_bad_index, out->type.shape);
        f.index.assign(index.begin(), index.end());
        f.has_index = true;
        for (const Tensor& t : inputs) {
            if (t.defined()) f.shapes.push_back(to_string(t.shape()));
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
