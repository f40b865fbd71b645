#include "profiler/check/program_output.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <string_view>
#include <vector>

namespace fusescope::check {

namespace {

/// A number, or the text between two.
struct Token {
    std::string_view text;
    bool number = false;
    bool duration = false;
    double value = 0;
    double unit = 0;  // of the last digit; 0 for whole numbers
};

bool digit(std::string_view text, std::size_t at) {
    return at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0;
}

/// Length of the number that begins at `at`, 0 when none does; fills in value and unit.
std::size_t number_at(std::string_view line, std::size_t at, Token& token) {
    std::size_t i = at;
    if (line[i] == '-' || line[i] == '+') ++i;
    const std::size_t whole = i;
    while (digit(line, i)) ++i;
    int decimals = 0;
    bool fraction = false;
    if (i < line.size() && line[i] == '.' && (i > whole || digit(line, i + 1))) {
        fraction = true;
        for (++i; digit(line, i); ++i) ++decimals;
    } else if (i == whole) {
        return 0;
    }
    int exponent = 0;
    if (i + 1 < line.size() && (line[i] == 'e' || line[i] == 'E') &&
        (digit(line, i + 1) || ((line[i + 1] == '-' || line[i + 1] == '+') && digit(line, i + 2)))) {
        std::size_t from = i + 1 + (line[i + 1] == '+');
        fraction = true;
        for (i += 2; digit(line, i); ++i) {
        }
        std::from_chars(line.data() + from, line.data() + i, exponent);
    }
    const std::size_t sign = line[at] == '+' ? 1 : 0;
    std::from_chars(line.data() + at + sign, line.data() + i, token.value);
    token.unit = fraction ? std::pow(10.0, exponent - decimals) : 0;
    return i - at;
}

bool names_duration(std::string_view rest) {
    if (!rest.empty() && rest[0] == ' ') rest.remove_prefix(1);
    for (const std::string_view unit : {"ms", "us", "µs", "ns", "s", "sec", "secs", "seconds", "it/s", "s/it"}) {
        if (!rest.starts_with(unit)) continue;
        const std::size_t after = unit.size();
        if (after == rest.size() || !std::isalnum(static_cast<unsigned char>(rest[after]))) return true;
    }
    return false;
}

std::vector<Token> tokens_of(std::string_view line) {
    std::vector<Token> tokens;
    std::size_t text_from = 0;
    for (std::size_t i = 0; i < line.size();) {
        Token token;
        const bool inside_word = i > 0 && std::isalnum(static_cast<unsigned char>(line[i - 1]));
        const std::size_t length = inside_word ? 0 : number_at(line, i, token);
        if (length == 0) {
            ++i;
            continue;
        }
        if (i > text_from) tokens.push_back({line.substr(text_from, i - text_from)});
        token.text = line.substr(i, length);
        token.number = true;
        token.duration = names_duration(line.substr(i + length));
        tokens.push_back(token);
        i += length;
        text_from = i;
    }
    if (text_from < line.size()) tokens.push_back({line.substr(text_from)});
    return tokens;
}

bool same(const Token& a, const Token& b, const Tolerance& tolerance) {
    if (a.text == b.text) return true;
    if (!a.number || !b.number) return false;
    if (a.duration && b.duration) return true;
    if (a.unit == 0 && b.unit == 0) return false;
    const double gap = std::fabs(a.value - b.value);
    const double size = std::max(std::fabs(a.value), std::fabs(b.value));
    constexpr double kRounding = 1.0001;  // of the two numbers as doubles
    return gap <= tolerance.absolute_for(DType::Float32) + tolerance.relative_for(DType::Float32) * size +
                      kRounding * std::max(a.unit, b.unit);
}

bool same_line(std::string_view a, std::string_view b, const std::string_view* again, const Tolerance& tolerance) {
    if (a == b) return true;
    const std::vector<Token> x = tokens_of(a), y = tokens_of(b);
    std::vector<Token> z;
    if (again) {
        z = tokens_of(*again);
        if (z.size() != x.size()) return true;
    }
    if (x.size() != y.size()) return false;
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (again && x[i].text != z[i].text) continue;
        if (!same(x[i], y[i], tolerance)) return false;
    }
    return true;
}

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

}  // namespace

std::string exception_line(const std::string& errors) {
    const std::vector<std::string_view> lines = lines_of(errors);
    const auto begins = [](std::string_view line) { return line.starts_with("Traceback (most recent call last)"); };
    const auto last = std::find_if(lines.rbegin(), lines.rend(), begins);
    // A syntax error has no traceback; its name is the last line that is not indented.
    const auto unindented = [](std::string_view line) { return !line.empty() && line[0] != ' '; };
    if (last == lines.rend()) {
        const auto name = std::find_if(lines.rbegin(), lines.rend(), unindented);
        return name == lines.rend() ? std::string() : std::string(*name);
    }
    const auto name = std::find_if(last.base(), lines.end(), unindented);
    return name == lines.end() ? std::string() : std::string(*name);
}

std::optional<TextDifference> text_difference(const std::string& first, const std::string& second,
                                              const std::string* again, const Tolerance& tolerance) {
    if (first == second) return std::nullopt;
    const std::vector<std::string_view> a = lines_of(first), b = lines_of(second);
    std::vector<std::string_view> c;
    if (again) c = lines_of(*again);
    // Where even the number of lines changes from run to run nothing can be said of any line.
    if (again && c.size() != a.size()) return std::nullopt;
    TextDifference difference;
    for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
        const bool both = i < a.size() && i < b.size();
        if (both && same_line(a[i], b[i], again ? &c[i] : nullptr, tolerance)) continue;
        if (difference.lines++ > 0) continue;
        difference.line = static_cast<std::int64_t>(i) + 1;
        if (i < a.size()) difference.first = std::string(a[i]);
        if (i < b.size()) difference.second = std::string(b[i]);
    }
    return difference.lines > 0 ? std::optional(difference) : std::nullopt;
}

}  // namespace fusescope::check
