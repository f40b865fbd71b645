#include "profiler/export/json_writer.hpp"
#include "profiler/report/format.hpp"

namespace fusescope {

void append_json_string(std::string& out, std::string_view text) {
    constexpr char hex[] = "0123456789abcdef";
    out += '"';
    for (std::size_t at = 0; at < text.size();) {
        const auto c = static_cast<unsigned char>(text[at]);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += static_cast<char>(c);
            ++at;
        } else if (c < 0x20 || c == 0x7F) {
            out += "\\u00";
            out += hex[c >> 4];
            out += hex[c & 15];
            ++at;
        } else if (c < 0x80) {
            out += static_cast<char>(c);
            ++at;
        } else {
            const std::size_t start = at;
            const char32_t point = report::next_code_point(text, at);
            if (point == 0xFFFD && at - start == 1) {
                out += "\xEF\xBF\xBD";
            } else {
                out.append(text.substr(start, at - start));
            }
        }
    }
    out += '"';
}

void append_microseconds(std::string& out, std::int64_t ns) {
    if (ns < 0) out += '-';
    const std::uint64_t magnitude = ns < 0 ? 0 - static_cast<std::uint64_t>(ns) : static_cast<std::uint64_t>(ns);
    out += std::to_string(magnitude / 1000);
    if (const auto rest = static_cast<int>(magnitude % 1000)) {
        const char digits[4] = {'.', static_cast<char>('0' + rest / 100), static_cast<char>('0' + rest / 10 % 10),
                                static_cast<char>('0' + rest % 10)};
        out.append(digits, 4);
    }
}

}  // namespace fusescope
