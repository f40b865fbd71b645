#include "engine/debug/births.hpp"

#include <cmath>
#include <utility>

#include "engine/core/tensor_impl.hpp"
#include "engine/debug/explain/birth.hpp"
#include "engine/exec/watch.hpp"

namespace fusescope::debug {
namespace {

constexpr std::uint8_t kNan = static_cast<std::uint8_t>(HealthBits::nan);
constexpr std::uint8_t kInf = static_cast<std::uint8_t>(HealthBits::inf);
constexpr std::uint8_t kBad = kNan | kInf;

BadElements bad_elements(const Tensor& t, bool nan) {
    BadElements bad;
    const std::int64_t n = t.count();
    for (std::int64_t i = 0; i < n; ++i) {
        const double v = number_at(t, i);
        if (nan ? !std::isnan(v) : !std::isinf(v)) continue;
        if (bad.count++ == 0) bad.first = i;
    }
    return bad;
}

std::uint8_t bits_of(double v) { return std::isnan(v) ? kNan : std::isinf(v) ? kInf : std::uint8_t{0}; }

// What the program gave as attributes: Pad's value, Fill's.
std::uint8_t bits_of(const Attrs& attrs) {
    std::uint8_t bits = 0;
    for (const AttrValue& v : attrs.values()) {
        if (const auto* d = std::get_if<double>(&v)) bits |= bits_of(*d);
    }
    return bits;
}

std::uint8_t bad_bits(const Tensor& t) {
    return t.defined() && is_float(t.dtype()) ? exec::look(exec::seen(t)) & kBad : std::uint8_t{0};
}

const OpDef& named(const OpCall& call) { return call.part_of ? *call.part_of : call.op; }

}  // namespace

Finding* Births::find(std::uint64_t key) {
    const auto at = by_key_.find(key);
    return at == by_key_.end() ? nullptr : &findings_[at->second];
}

void Births::tell(const Finding& finding) {
    if (recorder_) recorder_->finding(finding);
}

void Births::met_again(std::span<const std::uint64_t> keys) {
    for (std::uint64_t key : keys) {
        if (Finding* f = find(key)) ++f->occurrences;
    }
}

// Everything after a NaN is NaN: what is only carried is looked at closely now and then.
bool Births::is_due(const Place& place) {
    const std::uint32_t met = ++looked_[place];
    return met <= 8 || (met & (met - 1)) == 0;
}

std::vector<std::uint64_t> Births::look_at(const OpCall& call, std::span<const Tensor> outputs, EventId event) {
    std::vector<std::uint64_t> keys;
    std::uint8_t after = 0, before = 0;
    just_born_[0] = just_born_[1] = false;
    for (const Tensor& t : outputs) {
        if (t.defined() && is_float(t.dtype())) after |= t.impl()->health & kBad;
    }
    if (!after) return keys;
    bool any = false;
    for (const Tensor& t : call.inputs) {
        any = any || t.defined();
        before |= bad_bits(t);
    }
    const std::uint8_t given = bits_of(call.attrs);
    add_numbers(call, outputs, event, after, given, keys);
    for (const Tensor& t : outputs) {
        for (const bool nan : {true, false}) {
            const std::uint8_t kind = nan ? kNan : kInf;
            if (!is_float(t.dtype()) || !(t.impl()->health & kind) || (given & kind)) continue;
            // What has no inputs was told to make it: a mask.
            if (!nan && !any) continue;
            BadElements bad;
            if (!(before & (nan ? kNan : kBad))) {
                bad = bad_elements(t, nan);
            } else if (is_due({&named(call), line_of(call.frame), call.phase, nan})) {
                bad = fresh_elements(context_, call, t, nan);
            }
            if (bad.count == 0) continue;
            if (const std::uint64_t key = add(call, t, event, nan, bad)) {
                keys.push_back(key);
                just_born_[nan] = true;
            }
        }
    }
    return keys;
}

Finding* Births::met(const Place& place) {
    const auto at = by_place_.find(place);
    if (at == by_place_.end()) return nullptr;
    ++findings_[at->second].occurrences;
    return &findings_[at->second];
}

std::uint64_t Births::add(const Place& place, Finding f) {
    f.key = new_finding_key();
    f.kind = std::get<bool>(place) ? FindingKind::nan : FindingKind::inf;
    f.severity = Severity::warning;
    f.phase = std::get<Phase>(place);
    f.step = context_.step;
    tell(f);
    by_place_[place] = by_key_[f.key] = findings_.size();
    findings_.push_back(std::move(f));
    return findings_.back().key;
}

std::uint64_t Births::add(const OpCall& call, const Tensor& output, EventId event, bool nan, const BadElements& bad) {
    const Place place{&named(call), line_of(call.frame), call.phase, nan};
    if (const Finding* known = met(place)) return known->key;
    Finding f;
    f.op_event = event;
    f.frame = call.frame;
    f.op = named(call).name();
    if (const std::uint32_t run = runs_[key_of(call.op, call.frame, call.phase)]; run > 1) {
        f.arguments.emplace_back("occurrence", std::to_string(run));
    }
    f.count = bad.count;
    std::vector<ValueId> operands;
    for (const Tensor& t : call.inputs) operands.push_back(history_.value_of(t));
    if (!explain_birth(history_, context_,
                       {call.op, call.attrs, call.inputs, output, bad.first, nan, call.phase, call.part_of}, operands,
                       f)) {
        return 0;
    }
    if (call.inputs.empty()) f.rule = "nan_in_input";
    return add(place, std::move(f));
}

// Numbers that the program wrote: NaN itself, and those that the element type made infinite. An infinity that stands
// there as such is meant.
void Births::add_numbers(const OpCall& call, std::span<const Tensor> outputs, EventId event, std::uint8_t after,
                         std::uint8_t given, std::vector<std::uint64_t>& keys) {
    bool nan = given & kNan, beyond = false;
    std::string dtype;
    for (const Tensor& t : call.inputs) {
        if (!t.defined() || !t.impl()->number || !is_float(t.dtype())) continue;
        nan = nan || std::isnan(number_at(t, 0));
        if (!t.impl()->beyond || !std::isinf(number_at(t, 0))) continue;
        beyond = true;
        dtype = name_of(t.dtype());
    }
    nan = nan && (after & kNan);
    for (const bool kind : {true, false}) {
        if (!(kind ? nan : beyond)) continue;
        const Place place{&named(call), line_of(call.frame), Phase::input, kind};
        just_born_[kind] = true;
        if (const Finding* known = met(place)) {
            keys.push_back(known->key);
            continue;
        }
        Finding f;
        f.op_event = event;
        f.frame = call.frame;
        f.op = named(call).name();
        f.rule = kind ? "nan_number" : "number_overflow";
        if (!kind) f.arguments.emplace_back("dtype", dtype);
        f.inputs = {kind ? "nan" : "inf"};
        for (const Tensor& t : outputs) {
            const bool made_nan = kind || !(bad_bits(t) & kInf);
            const BadElements bad = bad_bits(t) ? bad_elements(t, made_nan) : BadElements{};
            if (bad.count == 0) continue;
            f.count = bad.count;
            f.index = index_of(bad.first, t.shape());
            f.has_index = true;
            break;
        }
        keys.push_back(add(place, std::move(f)));
    }
}

std::uint64_t Births::add_input(const Tensor& made, FrameId frame) {
    const Place place{nullptr, line_of(frame), Phase::input, true};
    if (const Finding* known = met(place)) return known->key;
    Finding f;
    f.frame = frame;
    f.op = "Tensor";
    f.rule = "nan_in_input";
    const BadElements bad = bad_elements(made, true);
    f.count = bad.count;
    f.index = index_of(bad.first, made.shape());
    f.has_index = true;
    f.shapes = {to_string(made.shape())};
    return add(place, std::move(f));
}

std::uint64_t Births::add_overflowed_input(const Tensor& made, const Overflowed& data, FrameId frame) {
    const Place place{nullptr, line_of(frame), Phase::input, false};
    if (const Finding* known = met(place)) return known->key;
    Finding f;
    f.frame = frame;
    f.op = "Tensor";
    f.rule = "input_overflow";
    f.count = data.count;
    f.index = index_of(data.index, made.shape());
    f.has_index = true;
    f.inputs = {number_text(data.number, DType::Float64)};
    f.shapes = {to_string(made.shape())};
    f.arguments.emplace_back("dtype", std::string(name_of(made.dtype())));
    return add(place, std::move(f));
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
