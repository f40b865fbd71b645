#include "engine/debug/births.hpp"

#include <cmath>
#include <utility>

#include "engine/core/tensor_impl.hpp"
#include "engine/debug/explain/birth.hpp"

namespace fusescope::debug {
namespace {

constexpr std::uint8_t kBad = static_cast<std::uint8_t>(HealthBits::nan) | static_cast<std::uint8_t>(HealthBits::inf);

/// The first element of the kind that was born.
struct Bad {
    std::int64_t first = -1;
    std::int64_t count = 0;
};
Bad bad_elements(const Tensor& t, bool nan) {
    Bad bad;
    const std::int64_t n = t.count();
    for (std::int64_t i = 0; i < n; ++i) {
        const double v = number_at(t, i);
        if (nan ? !std::isnan(v) : !std::isinf(v)) continue;
        if (bad.first < 0) bad.first = i;
        ++bad.count;
    }
    return bad;
}

}  // namespace

Finding* Births::find(std::uint64_t key) {
    for (Finding& f : findings_) {
        if (f.key == key) return &f;
    }
    return nullptr;
}

void Births::tell(const Finding& finding) {
    if (recorder_) recorder_->finding(finding);
}

void Births::met_again(std::span<const std::uint64_t> keys) {
    for (std::uint64_t key : keys) {
        if (Finding* f = find(key)) ++f->occurrences;
    }
}

std::uint64_t Births::add(const OpCall& call, const Tensor& output, std::size_t, EventId event, bool nan) {
    const OpDef& named = call.gradient_of ? *call.gradient_of : call.op;
    const Place place{&named, line_of(call.frame), call.phase, nan};
    const auto [at, fresh] = by_place_.try_emplace(place, findings_.size());
    if (!fresh) {
        Finding& f = findings_[at->second];
        ++f.occurrences;
        return f.key;
    }
    Finding f;
    f.key = new_finding_key();
    f.kind = nan ? FindingKind::nan : FindingKind::inf;
    f.severity = Severity::warning;
    f.phase = call.phase;
    f.op_event = event;
    f.frame = call.frame;
    f.op = named.name();
    f.step = context_.step;
    if (const std::uint32_t run = runs_[key_of(call.op, call.frame, call.phase)]; run > 1) {
        f.arguments.emplace_back("occurrence", std::to_string(run));
    }
    const Bad bad = bad_elements(output, nan);
    f.count = bad.count;
    std::vector<ValueId> operands;
    for (const Tensor& t : call.inputs) operands.push_back(history_.value_of(t));
    if (bad.first >= 0) {
        explain_birth(history_, context_,
                      {call.op, call.attrs, call.inputs, output, bad.first, nan, call.phase, call.gradient_of},
                      operands, f);
        if (call.inputs.empty()) f.rule = "nan_in_input";
    }
    tell(f);
    findings_.push_back(std::move(f));
    return findings_.back().key;
}

std::uint64_t Births::add_input(const Tensor& made, FrameId frame) {
    const auto [at, fresh] =
        by_place_.try_emplace(Place{nullptr, line_of(frame), Phase::input, true}, findings_.size());
    if (!fresh) {
        ++findings_[at->second].occurrences;
        return findings_[at->second].key;
    }
    Finding f;
    f.key = new_finding_key();
    f.kind = FindingKind::nan;
    f.severity = Severity::warning;
    f.phase = Phase::input;
    f.frame = frame;
    f.op = "Tensor";
    f.step = context_.step;
    f.rule = "nan_in_input";
    const Bad bad = bad_elements(made, true);
    f.count = bad.count;
    f.index = index_of(bad.first, made.shape());
    f.has_index = true;
    f.shapes = {to_string(made.shape())};
    tell(f);
    findings_.push_back(std::move(f));
    return findings_.back().key;
}

void Births::reached(std::span<const std::uint64_t> keys, Reach reach, FrameId frame) {
    for (std::uint64_t key : keys) {
        Finding* f = find(key);
        // A later, weightier place (a parameter after a print) does not change what was said first.
        if (!f || f->reach != Reach::unknown) continue;
        f->reach = reach;
        f->reach_frame = frame;
        f->severity = Severity::error;
        tell(*f);
    }
}

void Births::reached(ValueId value, Reach reach, FrameId frame) {
    std::vector<ValueId> open{value};
    while (!open.empty()) {
        const Value* v = history_.value(open.back());
        open.pop_back();
        Entry* e = v && (v->health & kBad) ? history_.entry(v->made_by) : nullptr;
        if (!e || std::exchange(e->followed, true)) continue;
        if (!e->findings.empty())
            reached(std::span<const std::uint64_t>(e->findings.data(), e->findings.size()), reach, frame);
        for (ValueId in : e->inputs) open.push_back(in);
    }
}

void Births::finish() {
    for (Finding& f : findings_) {
        const bool absorbed = f.reach == Reach::unknown;
        if (absorbed) f.reach = Reach::absorbed;
        if (absorbed || f.occurrences > 1) tell(f);
    }
}

}  // namespace fusescope::debug
