#include "engine/debug/breakpoints.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>

#include "engine/core/tensor_impl.hpp"
#include "engine/debug/element.hpp"
#include "engine/ir/op_def.hpp"
#include "fusescope/error.hpp"

namespace fusescope::debug {
namespace {

struct KindWord {
    std::string_view word;
    WatchKind kind;
    int arguments;
};
constexpr KindWord kKinds[] = {
    {"nan", WatchKind::nan, 0},           {"inf", WatchKind::inf, 0},
    {"overflow", WatchKind::overflow, 0}, {"underflow", WatchKind::underflow, 0},
    {"zero", WatchKind::zero, 0},         {"unchanged", WatchKind::unchanged, 0},
    {"changed", WatchKind::changed, 0},   {"range", WatchKind::range, 2},
    {"change", WatchKind::change, 1},     {"relative_change", WatchKind::relative_change, 1},
    {"norm", WatchKind::norm, 1},         {"dead", WatchKind::dead, 1},
    {"expr", WatchKind::expression, -1},
};

std::string_view trimmed(std::string_view s) {
    const std::size_t first = s.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return s.substr(first, s.find_last_not_of(" \t") - first + 1);
}

[[noreturn]] void refuse(std::string_view text, const std::string& why) {
    std::string kinds;
    for (const KindWord& k : kKinds) kinds += (kinds.empty() ? "" : ", ") + std::string(k.word);
    throw UserError(ErrorKind::value, "", fmt::format("watchpoint '{}': {}", text, why), {},
                    "write KIND or KIND(numbers), then perhaps `on op NAME`, `on cell PATH`, `on parameter NAME`, "
                    "`on parameters` or `on gradients`; kinds are " +
                        kinds);
}

double largest(DType t) {
    switch (t) {
        case DType::Float16:
            return 65504;
        case DType::Float64:
            return std::numeric_limits<double>::max();
        case DType::BFloat16:
            return 3.3895313892515355e38;
        default:
            return std::numeric_limits<float>::max();
    }
}

double smallest_normal(DType t) {
    switch (t) {
        case DType::Float16:
            return 6.103515625e-05;
        case DType::Float64:
            return std::numeric_limits<double>::min();
        default:
            return std::numeric_limits<float>::min();
    }
}

}  // namespace

bool is_op(const OpDef& op, std::string_view name) {
    return op.name() == name || (!op.schema.functional.empty() && op.schema.functional == name);
}

bool names_op(std::string_view name) {
    const OpTable& table = OpTable::get();
    return table.find(name) || table.find_functional(name);
}

bool names_cell(std::string_view path, std::string_view scope) {
    bool matched = false;
    // Each part of a scope is "attribute-Class"; they are compared from the end.
    while (!path.empty()) {
        // The outermost Cell has no attribute's name, only that of some variable.
        if (scope.empty() || scope == "Default") return matched && path.find('.') == std::string_view::npos;
        const std::size_t slash = scope.rfind('/');
        std::string_view part = scope.substr(slash == std::string_view::npos ? 0 : slash + 1);
        scope = slash == std::string_view::npos ? std::string_view() : scope.substr(0, slash);
        part = part.substr(0, part.rfind('-'));
        // An attribute may hold dots itself ("layers.0").
        if (!path.ends_with(part) || part.empty()) return false;
        path.remove_suffix(part.size());
        matched = true;
        if (path.empty()) return true;
        if (path.back() != '.') return false;
        path.remove_suffix(1);
    }
    return false;
}

ValueStats stats_of(const Tensor& t) {
    ValueStats s;
    s.count = t.count();
    s.min = std::numeric_limits<double>::infinity();
    s.max = -s.min;
    const double limit = largest(t.dtype()), normal = smallest_normal(t.dtype());
    const bool floating = is_float(t.dtype());
    double sum = 0, squares = 0;
    std::int64_t finite = 0;
    for (std::int64_t i = 0; i < s.count; ++i) {
        const double v = number_at(t, i);
        if (std::isnan(v) || std::isinf(v)) {
            ++(std::isnan(v) ? s.nan : s.inf);
            if (s.first_bad < 0) s.first_bad = i;
            continue;
        }
        ++finite;
        if (v == 0) ++s.zero;
        if (floating && std::fabs(v) >= limit) ++s.at_limit;
        if (floating && v != 0 && std::fabs(v) < normal) ++s.subnormal;
        s.min = std::min(s.min, v);
        s.max = std::max(s.max, v);
        sum += v;
        squares += v * v;
    }
    if (finite == 0) {
        s.min = s.max = s.mean = s.std = std::nan("");
        return s;
    }
    const double n = static_cast<double>(finite);
    s.mean = sum / n;
    s.norm = std::sqrt(squares);
    double deviations = 0;
    for (std::int64_t i = 0; i < s.count; ++i) {
        const double v = number_at(t, i);
        if (std::isfinite(v)) deviations += (v - s.mean) * (v - s.mean);
    }
    s.std = std::sqrt(deviations / n);
    return s;
}

Watchpoint parse_watchpoint(std::string_view text) {
    Watchpoint w;
    w.text = std::string(trimmed(text));
    std::string_view rest = w.text;
    const std::size_t end = rest.find_first_of(" (");
    const std::string_view word = rest.substr(0, end);
    const KindWord* kind = nullptr;
    for (const KindWord& k : kKinds) {
        if (k.word == word) kind = &k;
    }
    if (!kind) refuse(text, fmt::format("there is no kind '{}'", word));
    w.kind = kind->kind;
    rest = trimmed(rest.substr(word.size()));
    if (rest.starts_with('(')) {
        int depth = 0;
        std::size_t close = 0;
        for (; close < rest.size(); ++close) {
            depth += rest[close] == '(' ? 1 : rest[close] == ')' ? -1 : 0;
            if (depth == 0) break;
        }
        if (close == rest.size()) refuse(text, "a parenthesis is not closed");
        std::string_view inside = rest.substr(1, close - 1);
        rest = trimmed(rest.substr(close + 1));
        if (w.kind == WatchKind::expression) {
            w.expression = std::string(trimmed(inside));
        } else {
            int given = 0;
            while (!trimmed(inside).empty()) {
                const std::size_t comma = inside.find(',');
                const std::string_view number = trimmed(inside.substr(0, comma));
                double v = 0;
                const auto [at, error] = std::from_chars(number.data(), number.data() + number.size(), v);
                if (error != std::errc() || at != number.data() + number.size()) {
                    refuse(text, fmt::format("'{}' is no number", number));
                }
                (given++ == 0 ? w.a : w.b) = v;
                if (comma == std::string_view::npos) break;
                inside = inside.substr(comma + 1);
            }
            if (given != kind->arguments) {
                refuse(text, fmt::format("{} takes {} number{}, not {}", word, kind->arguments,
                                         kind->arguments == 1 ? "" : "s", given));
            }
        }
    } else if (kind->arguments > 0 || w.kind == WatchKind::expression) {
        refuse(text,
               fmt::format("{} needs its {} in parentheses", word, kind->arguments < 0 ? "expression" : "numbers"));
    }
    if (w.kind == WatchKind::expression && w.expression.empty()) refuse(text, "the expression is empty");
    if (rest.empty()) return w;
    if (!rest.starts_with("on ")) refuse(text, fmt::format("'{}' is not understood", rest));
    rest = trimmed(rest.substr(3));
    const std::size_t space = rest.find(' ');
    const std::string_view what = rest.substr(0, space);
    w.target = std::string(space == std::string_view::npos ? std::string_view() : trimmed(rest.substr(space)));
    constexpr std::pair<std::string_view, WatchOn> kTargets[] = {{"op", WatchOn::op},
                                                                 {"cell", WatchOn::cell},
                                                                 {"parameters", WatchOn::parameters},
                                                                 {"gradients", WatchOn::gradients},
                                                                 {"parameter", WatchOn::name}};
    for (const auto& [name, on] : kTargets) {
        if (name != what) continue;
        w.on = on;
        const bool wants = on == WatchOn::op || on == WatchOn::cell || on == WatchOn::name;
        if (wants && w.target.empty()) refuse(text, fmt::format("'on {}' needs a name", what));
        if (on == WatchOn::op && !names_op(w.target)) refuse(text, fmt::format("there is no op '{}'", w.target));
        return w;
    }
    refuse(text, fmt::format("'on {}' is not understood", rest));
}

}  // namespace fusescope::debug
