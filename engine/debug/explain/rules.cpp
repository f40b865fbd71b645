// Which of an op's hazards it was, by the values that met.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "engine/debug/explain/birth.hpp"
#include "engine/ops/op_ids.hpp"

namespace fusescope::debug {
namespace {

struct Values {
    std::span<const Source> sources;
    const BadElement& bad;

    double operator[](std::size_t operand) const {
        for (const Source& s : sources) {
            if (s.operand == operand) return s.number;
        }
        return 1;
    }
    std::size_t size() const { return sources.size(); }
    bool any(bool (*test)(double)) const {
        return std::any_of(sources.begin(), sources.end(), [&](const Source& s) { return test(s.number); });
    }
    std::int64_t among() const { return sources.empty() ? 0 : sources[0].among; }
};

bool infinite(double v) { return std::isinf(v); }
bool zero(double v) { return v == 0; }

/// A rule holds when `holds` says so of the values; `blames` picks the operand that the user should look at.
struct Rule {
    std::string_view key;
    bool (*holds)(const Values&);
    bool (*blames)(const Values&, const Source&);
};

bool blame_divisor(const Values&, const Source& s) { return s.operand == 1; }
bool blame_first(const Values&, const Source& s) { return s.operand == 0; }
bool blame_infinity(const Values&, const Source& s) { return infinite(s.number); }
bool blame_largest(const Values& v, const Source& s) {
    return std::all_of(v.sources.begin(), v.sources.end(),
                       [&](const Source& o) { return std::fabs(o.number) <= std::fabs(s.number); });
}

bool divides(const Values& v) { return v.size() >= 2; }

constexpr Rule kRules[] = {
    {"zero_over_zero", [](const Values& v) { return divides(v) && zero(v[0]) && zero(v[1]); }, blame_divisor},
    {"inf_over_inf", [](const Values& v) { return !divides(v) || (infinite(v[0]) && infinite(v[1])); }, blame_infinity},
    {"division_by_zero", [](const Values& v) { return zero(v[v.size() >= 2 ? 1 : 0]); },
     [](const Values& v, const Source& s) { return s.operand == (v.size() >= 2 ? 1u : 0u); }},
    {"zero_times_inf", [](const Values& v) { return v.any(infinite) && v.any(zero); }, blame_infinity},
    {"inf_minus_inf", [](const Values& v) { return v.any(infinite); }, blame_infinity},
    {"power_of_negative_base", [](const Values& v) { return v[0] < 0; }, blame_first},
    {"power_of_zero", [](const Values& v) { return zero(v[0]) && v[1] < 0; }, blame_first},
    {"modulo_by_zero", [](const Values& v) { return zero(v[1]); }, blame_divisor},
    {"modulo_of_infinity", [](const Values& v) { return infinite(v[0]); }, blame_first},
    {"fully_masked_row", [](const Values& v) { return v[0] < 0; }, blame_first},
    {"softmax_of_infinity", [](const Values& v) { return v[0] > 0; }, blame_first},
    {"mean_of_nothing", [](const Values& v) { return v.among() == 0; }, blame_first},
    {"variance_of_one_element", [](const Values& v) { return v.among() == 1; }, blame_first},
    {"overflow", [](const Values& v) { return !v.any(infinite); }, blame_largest},
};

const Rule* rule_of(std::string_view key) {
    for (const Rule& r : kRules) {
        if (r.key == key) return &r;
    }
    return nullptr;
}

// What may happen in an op whose row names no hazard that fits.
constexpr std::string_view kGeneralNan[] = {"zero_times_inf", "inf_minus_inf"};
constexpr std::string_view kGeneralInf[] = {"overflow"};

// Gradients have faults of their own: the function is smooth at every point but the one that was met.
std::string gradient_rule(const BadElement& bad, const std::string& inner) {
    const OpId of = bad.gradient_of->id;
    if (of == op::sqrt || of == op::norm || of == op::std) {
        if (inner == "division_by_zero" || inner == "zero_over_zero") return "gradient_of_root_at_zero";
    }
    if (of == op::pow && inner == "power_of_zero") return "gradient_of_power_at_zero";
    // Nothing flows back to an element that `where` did not choose; nothing times infinity, or over zero, is NaN.
    if (inner == "zero_times_inf") return "zero_gradient_times_inf";
    if (inner == "zero_over_zero") return "zero_gradient_over_zero";
    return inner;
}

}  // namespace

Verdict judge(const BadElement& bad, std::span<const Source> sources) {
    const Values values{sources, bad};
    auto verdict = [&](const std::string& key) {
        Verdict v;
        v.rule = key;
        const Rule* rule = rule_of(key);
        for (const Source& s : sources) {
            if (rule ? rule->blames(values, s) : true) {
                v.blamed = &s;
                break;
            }
        }
        if (!v.blamed && !sources.empty()) v.blamed = &sources[0];
        if (bad.gradient_of) v.rule = gradient_rule(bad, v.rule);
        return v;
    };
    for (const Hazard& hazard : bad.op.hazards) {
        if (!(bad.nan ? hazard.makes_nan : hazard.makes_inf)) continue;
        const Rule* rule = rule_of(hazard.rule);
        if (!rule || rule->holds(values)) return verdict(hazard.rule);
    }
    for (std::string_view key : bad.nan ? std::span<const std::string_view>(kGeneralNan) : kGeneralInf) {
        if (rule_of(key)->holds(values)) return verdict(std::string(key));
    }
    return verdict(bad.nan ? "nan_born" : "inf_born");
}

Oddity oddity_of(double v, DType dtype) {
    if (std::isnan(v)) return Oddity::nan;
    if (std::isinf(v)) return Oddity::infinite;
    if (v == 0) return Oddity::zero;
    if (v < 0) return Oddity::negative;
    const double limit = dtype == DType::Float16 ? 65504 : dtype == DType::Float64 ? 1e308 : 3e38;
    // Beyond the root of the limit, its square would overflow.
    if (v * v > limit || v > std::log(limit)) return Oddity::large;
    return Oddity::none;
}

}  // namespace fusescope::debug
