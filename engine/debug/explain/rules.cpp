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

    /// The first element of an operand; 1, which harms nothing, when it has none.
    double operator[](std::size_t operand) const {
        for (const Source& s : sources) {
            if (s.operand == operand) return s.number;
        }
        return 1;
    }
    bool any(bool (*test)(double)) const {
        return std::any_of(sources.begin(), sources.end(), [&](const Source& s) { return test(s.number); });
    }
    bool unary() const { return sources.size() == 1; }
    std::int64_t among() const { return sources.empty() ? 0 : sources[0].among; }

    // Where the operands of a division, and that of a logarithm, stand.
    std::size_t divisor() const { return bad.op.id == op::addcdiv ? 2 : unary() ? 0 : 1; }
    double over() const { return bad.op.id == op::addcdiv ? (*this)[1] : unary() ? 1 : (*this)[0]; }
    double under() const { return (*this)[divisor()]; }
    std::size_t argument() const { return bad.op.id == op::xlogy ? 1 : 0; }
    double logarithm_of() const { return (*this)[argument()] + (bad.op.id == op::log1p ? 1 : 0); }
};

bool infinite(double v) { return std::isinf(v); }
bool zero(double v) { return v == 0; }

/// A rule holds when `holds` says so of the values; `blames` picks the operand that the user should look at.
struct Rule {
    std::string_view key;
    bool (*holds)(const Values&);
    bool (*blames)(const Values&, const Source&);
};

bool blame_divisor(const Values& v, const Source& s) { return s.operand == v.divisor(); }
bool blame_argument(const Values& v, const Source& s) { return s.operand == v.argument(); }
bool blame_first(const Values&, const Source& s) { return s.operand == 0; }
bool blame_infinity(const Values&, const Source& s) { return infinite(s.number); }
bool blame_largest(const Values& v, const Source& s) {
    return std::all_of(v.sources.begin(), v.sources.end(),
                       [&](const Source& o) { return std::fabs(o.number) <= std::fabs(s.number); });
}
// A quotient overflows by a tiny divisor as often as by a large dividend.
bool blame_quotient(const Values& v, const Source& s) {
    const bool tiny = std::fabs(v.under()) < 1 && std::fabs(v.over()) * std::fabs(v.under()) <= 1;
    return tiny ? blame_divisor(v, s) : blame_largest(v, s);
}
// Given statistics have the variance as the last operand; else it is that of the row.
bool blame_variance(const Values& v, const Source& s) { return s.operand == (v[4] == 0 ? 4u : 0u); }

bool no_variance(const Values& v) { return !v.sources.empty() && (v.sources[0].alike || zero(v[4])); }

constexpr Rule kRules[] = {
    {"log_of_negative", [](const Values& v) { return v.logarithm_of() < 0; }, blame_argument},
    {"log_of_zero", [](const Values& v) { return zero(v.logarithm_of()); }, blame_argument},
    {"zero_over_zero", [](const Values& v) { return zero(v.over()) && zero(v.under()); }, blame_divisor},
    {"inf_over_inf", [](const Values& v) { return infinite(v.under()) && (v.unary() || infinite(v.over())); },
     blame_infinity},
    {"division_by_zero", [](const Values& v) { return zero(v.under()); }, blame_divisor},
    {"quotient_overflow", [](const Values& v) { return !v.any(infinite); }, blame_quotient},
    {"zero_times_inf", [](const Values& v) { return v.any(infinite) && v.any(zero); }, blame_infinity},
    {"inf_minus_inf", [](const Values& v) { return v.any(infinite); }, blame_infinity},
    {"power_of_negative_base", [](const Values& v) { return v[0] < 0; }, blame_first},
    {"power_of_zero", [](const Values& v) { return zero(v[0]) && v[1] < 0; }, blame_first},
    {"modulo_by_zero", [](const Values& v) { return zero(v[1]); }, blame_divisor},
    {"modulo_of_infinity", [](const Values& v) { return infinite(v[0]); }, blame_first},
    {"nan_of_infinity", [](const Values& v) { return v.unary() && v.any(infinite); }, blame_infinity},
    {"fully_masked_row", [](const Values& v) { return v[0] < 0; }, blame_first},
    {"softmax_of_infinity", [](const Values& v) { return v[0] > 0; }, blame_first},
    {"mean_of_nothing", [](const Values& v) { return v.among() == 0; }, blame_first},
    {"variance_of_zero", no_variance, blame_variance},
    {"normalised_infinity", [](const Values& v) { return v.any(infinite); }, blame_infinity},
    {"overflow", [](const Values& v) { return !v.any(infinite); }, blame_largest},
    {"overflow_on_the_way",
     [](const Values& v) {
         return !v.any(infinite) && std::any_of(v.sources.begin(), v.sources.end(), [&](const Source& s) {
             return oddity_of(std::fabs(s.number), v.bad.output.dtype()) == Oddity::large;
         });
     },
     blame_largest},
};

const Rule* rule_of(std::string_view key) {
    for (const Rule& r : kRules) {
        if (r.key == key) return &r;
    }
    return nullptr;
}

// What may happen in an op whose row names no hazard that fits.
constexpr std::string_view kGeneralNan[] = {"zero_times_inf", "nan_of_infinity", "inf_minus_inf",
                                            "overflow_on_the_way"};
constexpr std::string_view kGeneralInf[] = {"overflow"};

bool is_one_of(OpId id, std::initializer_list<OpId> ids) { return std::find(ids.begin(), ids.end(), id) != ids.end(); }

// Gradients have faults of their own: the function is smooth at every point but the one that was met.
std::string gradient_rule(const BadElement& bad, const Values& v, const std::string& inner) {
    const OpId of = bad.part_of->id;
    const bool divided = inner == "division_by_zero" || inner == "rsqrt_of_zero";
    const bool nothing_over_nothing = inner == "zero_over_zero";
    if (is_one_of(of, {op::sqrt, op::cbrt, op::norm, op::std})) {
        if (divided) return "gradient_of_root_at_zero";
        if (nothing_over_nothing) return "zero_gradient_at_root";
    }
    if (is_one_of(of, {op::hypot, op::atan2}) && (divided || nothing_over_nothing)) return "gradient_at_origin";
    if (is_one_of(of, {op::log, op::log2, op::log10, op::log1p, op::xlogy}) && divided)
        return "gradient_of_log_at_zero";
    if (is_one_of(of, {op::acos, op::asin, op::acosh, op::atanh})) {
        if (divided) return "gradient_at_edge";
        if (inner == "sqrt_of_negative") return of == op::acosh ? "acosh_below_one" : "outside_minus_one_to_one";
    }
    if (of == op::pow) {
        if (inner == "power_of_zero") return "gradient_of_power_at_zero";
        if (inner == "log_of_negative" || inner == "log_of_zero") return "gradient_of_exponent";
    }
    if (of == op::logsumexp && inner == "inf_minus_inf" && v[0] < 0) return "fully_masked_row";
    // Nothing flows back to an element that `where` did not choose; nothing times infinity, or over zero, is NaN.
    if (inner == "zero_times_inf") return "zero_gradient_times_inf";
    if (nothing_over_nothing) return "zero_gradient_over_zero";
    return inner;
}

// What the parts of a composite met, in words of the whole.
std::string composite_rule(const BadElement& bad, const std::string& inner) {
    const bool divides = bad.op.id == op::div && (inner == "zero_over_zero" || inner == "division_by_zero");
    if (divides && is_one_of(bad.part_of->id, {op::var, op::std})) return "variance_of_one_element";
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
        if (!bad.part_of) return v;
        v.rule = bad.phase == Phase::backward ? gradient_rule(bad, values, v.rule) : composite_rule(bad, v.rule);
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

bool is_right(const BadElement& bad, std::span<const Source> sources) {
    // The logarithm of a sum of exponentials of nothing but -inf is -inf.
    return !bad.nan && bad.part_of && bad.part_of->id == op::logsumexp && bad.op.id == op::log && !sources.empty() &&
           sources[0].number == 0;
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
