#include "profiler/report/format.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <vector>

namespace fusescope::report {

namespace {

/// Three significant digits: 1.07, 12.4, 873.
std::string three_digits(double value, const char* unit) {
    return fixed(value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0) + unit;
}

struct Range {
    char32_t first, last;
};

// East Asian wide and fullwidth blocks, and the emoji that terminals draw over two cells (Unicode 15, UAX #11).
constexpr std::array kWide = std::to_array<Range>({
    {0x1100, 0x115F},   {0x231A, 0x231B},   {0x2329, 0x232A},   {0x23E9, 0x23EC},   {0x25FD, 0x25FE},
    {0x2614, 0x2615},   {0x2648, 0x2653},   {0x26A1, 0x26A1},   {0x26AA, 0x26AB},   {0x26BD, 0x26BE},
    {0x26C4, 0x26C5},   {0x26D4, 0x26D4},   {0x2705, 0x2705},   {0x270A, 0x270B},   {0x2728, 0x2728},
    {0x274C, 0x274C},   {0x2753, 0x2755},   {0x2757, 0x2757},   {0x2795, 0x2797},   {0x2B1B, 0x2B1C},
    {0x2B50, 0x2B50},   {0x2E80, 0x303E},   {0x3041, 0x33FF},   {0x3400, 0x4DBF},   {0x4E00, 0x9FFF},
    {0xA000, 0xA4CF},   {0xA960, 0xA97F},   {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE10, 0xFE19},
    {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},   {0x16FE0, 0x18AFF}, {0x1B000, 0x1B2FF},
    {0x1F004, 0x1F004}, {0x1F0CF, 0x1F0CF}, {0x1F18E, 0x1F18E}, {0x1F191, 0x1F19A}, {0x1F200, 0x1F320},
    {0x1F32D, 0x1F335}, {0x1F337, 0x1F37C}, {0x1F37E, 0x1F393}, {0x1F3A0, 0x1F3CA}, {0x1F3E0, 0x1F3F0},
    {0x1F400, 0x1F43E}, {0x1F440, 0x1F440}, {0x1F442, 0x1F4FC}, {0x1F4FF, 0x1F53D}, {0x1F54B, 0x1F567},
    {0x1F5FB, 0x1F64F}, {0x1F680, 0x1F6C5}, {0x1F6D0, 0x1F6D7}, {0x1F6DC, 0x1F6DF}, {0x1F6EB, 0x1F6EC},
    {0x1F6F4, 0x1F6FC}, {0x1F7E0, 0x1F7EB}, {0x1F90C, 0x1F93A}, {0x1F93C, 0x1F9FF}, {0x1FA70, 0x1FAFF},
    {0x20000, 0x2FFFD}, {0x30000, 0x3FFFD},
});

// Combining marks and other characters of no width that occur in names.
constexpr std::array kZero = std::to_array<Range>({
    {0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x0610, 0x061A}, {0x064B, 0x065F},   {0x0900, 0x0902},
    {0x093C, 0x093C}, {0x0941, 0x0948}, {0x094D, 0x094D}, {0x0E31, 0x0E31}, {0x0E34, 0x0E3A},   {0x0E47, 0x0E4E},
    {0x1160, 0x11FF}, {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x200B, 0x200D}, {0x20D0, 0x20FF},   {0x302A, 0x302D},
    {0x3099, 0x309A}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xFEFF, 0xFEFF}, {0x1F3FB, 0x1F3FF}, {0xE0100, 0xE01EF},
});

template <std::size_t n>
bool in_ranges(const std::array<Range, n>& ranges, char32_t c) {
    const auto it = std::upper_bound(ranges.begin(), ranges.end(), c,
                                     [](char32_t value, const Range& range) { return value < range.first; });
    return it != ranges.begin() && c <= std::prev(it)->last;
}

int width_of(char32_t c) {
    if (c < 0x300) return 1;
    if (in_ranges(kZero, c)) return 0;
    return in_ranges(kWide, c) ? 2 : 1;
}

bool is_control(char32_t c) {
    return c < 0x20 || (c >= 0x7F && c < 0xA0) || (c >= 0x200E && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) ||
           (c >= 0x2066 && c <= 0x2069);
}

}  // namespace

std::string fixed(double value, int digits) {
    char text[400];
    const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, digits).ptr;
    return {text, end};
}

std::string format_duration(std::int64_t ns) {
    if (ns == 0) return "0";
    if (ns < 0) return "-" + format_duration(ns == INT64_MIN ? INT64_MAX : -ns);
    const double value = static_cast<double>(ns);
    if (ns < 1000) return std::to_string(ns) + " ns";
    if (value < 999.5e3) return three_digits(value / 1e3, " µs");
    if (value < 999.5e6) return three_digits(value / 1e6, " ms");
    if (value < 120e9) return three_digits(value / 1e9, " s");
    const auto seconds = static_cast<long long>(std::llround(value / 1e9));
    char text[64];
    if (seconds < 7200) {
        std::snprintf(text, sizeof text, "%lld min %02lld s", seconds / 60, seconds % 60);
    } else {
        std::snprintf(text, sizeof text, "%lld h %02lld min", seconds / 3600, seconds / 60 % 60);
    }
    return text;
}

std::string format_bytes(std::uint64_t bytes) {
    if (bytes < 1024) return std::to_string(bytes) + " B";
    constexpr const char* units[] = {" KiB", " MiB", " GiB", " TiB", " PiB", " EiB"};
    double value = static_cast<double>(bytes) / 1024;
    int unit = 0;
    while (value >= 1023.5 && unit < 5) {
        value /= 1024;
        ++unit;
    }
    return three_digits(value, units[unit]);
}

std::string format_signed_bytes(std::int64_t bytes) {
    if (bytes == 0) return "0 B";
    const std::uint64_t magnitude =
        bytes < 0 ? 0 - static_cast<std::uint64_t>(bytes) : static_cast<std::uint64_t>(bytes);
    return (bytes < 0 ? "-" : "+") + format_bytes(magnitude);
}

std::string format_count(std::uint64_t count) {
    std::string digits = std::to_string(count);
    for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3)
        digits.insert(static_cast<std::size_t>(at), " ");
    return digits;
}

std::string format_percent(double part, double whole) {
    if (whole == 0 || !std::isfinite(part / whole)) return "-";
    return fixed(100 * part / whole, 1) + " %";
}

std::string format_flops(std::uint64_t flops) {
    const double value = static_cast<double>(flops);
    if (flops < 1000) return std::to_string(flops);
    if (value < 999.5e3) return three_digits(value / 1e3, " k");
    if (value < 999.5e6) return three_digits(value / 1e6, " M");
    if (value < 999.5e9) return three_digits(value / 1e9, " G");
    return three_digits(value / 1e12, " T");
}

std::string format_bandwidth(std::uint64_t bytes, std::int64_t ns) {
    if (ns <= 0) return "-";
    const double per_second = static_cast<double>(bytes) * 1e9 / static_cast<double>(ns);
    if (per_second < 999.5e3) return three_digits(per_second / 1e3, " kB/s");
    if (per_second < 999.5e6) return three_digits(per_second / 1e6, " MB/s");
    return three_digits(per_second / 1e9, " GB/s");
}

std::string format_unix_time(std::int64_t unix_ns) {
    const auto seconds = static_cast<std::time_t>(unix_ns / 1'000'000'000);
    std::tm parts{};
    if (gmtime_r(&seconds, &parts) == nullptr) return "-";
    char text[64];
    return std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &parts) == 0 ? "-" : text;
}

char32_t next_code_point(std::string_view text, std::size_t& position) {
    constexpr char32_t bad = 0xFFFD;
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
    const unsigned char lead = byte(position);
    if (lead < 0x80) {
        ++position;
        return lead;
    }
    const int length = lead >= 0xC2 && lead <= 0xDF   ? 2
                       : (lead & 0xF0) == 0xE0        ? 3
                       : lead >= 0xF0 && lead <= 0xF4 ? 4
                                                      : 0;
    if (length == 0 || position + static_cast<std::size_t>(length) > text.size()) {
        ++position;
        return bad;
    }
    char32_t c = lead & (0xFF >> (length + 1));
    for (int i = 1; i < length; ++i) {
        const unsigned char next = byte(position + static_cast<std::size_t>(i));
        if ((next & 0xC0) != 0x80) {
            ++position;
            return bad;
        }
        c = (c << 6) | (next & 0x3F);
    }
    constexpr char32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    if (c < smallest[length] || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF)) {
        ++position;
        return bad;
    }
    position += static_cast<std::size_t>(length);
    return c;
}

std::string valid_utf8(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t start = at;
        if (next_code_point(text, at) == 0xFFFD && at - start == 1) {
            result += "\xEF\xBF\xBD";
        } else {
            result.append(text.substr(start, at - start));
        }
    }
    return result;
}

int display_width(std::string_view text) {
    int width = 0;
    for (std::size_t at = 0; at < text.size();) width += width_of(next_code_point(text, at));
    return width;
}

std::string printable(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    char escape[16];
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t start = at;
        const char32_t c = next_code_point(text, at);
        if (c == '\n') {
            result += "\\n";
        } else if (c == '\t') {
            result += "\\t";
        } else if (c == '\r') {
            result += "\\r";
        } else if (is_control(c)) {
            std::snprintf(escape, sizeof escape, c < 0x100 ? "\\x%02x" : "\\u%04x", static_cast<unsigned>(c));
            result += escape;
        } else if (c == 0xFFFD && at - start == 1) {
            result += "\xEF\xBF\xBD";
        } else {
            result.append(text.substr(start, at - start));
        }
    }
    return result;
}

std::string fit_width(std::string_view text, int width, bool keep_tail) {
    const int full = display_width(text);
    if (full <= width) return std::string(text);
    if (width <= 1) return width == 1 ? "…" : "";
    if (keep_tail) {
        int left = full;
        std::size_t at = 0;
        while (at < text.size() && left > width - 1) left -= width_of(next_code_point(text, at));
        return "…" + std::string(text.substr(at));
    }
    int used = 0;
    std::size_t at = 0, end = 0;
    while (at < text.size()) {
        used += width_of(next_code_point(text, at));
        if (used > width - 1) break;
        end = at;
    }
    return std::string(text.substr(0, end)) + "…";
}

const char* clock_mark(Clock clock) { return clock == Clock::modelled ? " (modelled)" : ""; }

std::string base_name(std::string_view path) {
    const std::size_t slash = path.find_last_of('/');
    return std::string(slash == std::string_view::npos ? path : path.substr(slash + 1));
}

std::string trimmed(std::string_view text) {
    const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return std::string(text);
}

}  // namespace fusescope::report
