// Numbers and names as people read them: durations, sizes, rates, and text of unknown origin made safe to print.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "fusescope/event.hpp"

namespace fusescope::report {

/// A number with so many digits after the point, which is a point in every locale.
std::string fixed(double value, int digits);
std::string format_duration(std::int64_t nanoseconds);  ///< "873 ns", "12.4 µs", "1.07 ms", "3.21 s", "2 min 05 s"
std::string format_bytes(std::uint64_t bytes);          ///< "512 B", "1.5 KiB", "2.0 GiB"
std::string format_signed_bytes(std::int64_t bytes);    ///< "+1.5 KiB", "-12 B", "0 B"
std::string format_count(std::uint64_t count);          ///< "1 234 567"
std::string format_percent(double part, double whole);  ///< "12.3 %"; "-" when the whole is zero
std::string format_flops(std::uint64_t flops);          ///< "0", "1.2 k", "3.4 M", "5.6 G"
/// "3.2 GB/s" (10^9 bytes a second), "-" when it took no time.
std::string format_bandwidth(std::uint64_t bytes, std::int64_t nanoseconds);
/// "2026-03-01 12:30:05 UTC"
std::string format_unix_time(std::int64_t unix_ns);

/// Decodes one code point at `position` and moves past it. A byte that is no UTF-8 gives U+FFFD and moves by one.
char32_t next_code_point(std::string_view text, std::size_t& position);
/// The same text as valid UTF-8: each bad byte becomes U+FFFD.
std::string valid_utf8(std::string_view text);
/// How many terminal cells a text takes: 2 for East Asian wide characters, 0 for combining marks.
int display_width(std::string_view text);
/// One printable line: control characters (so also terminal escapes and direction overrides) become "\n", "\t",
/// "\x1b", "\u202e". A profile is somebody else's data.
std::string printable(std::string_view text);
/// Cut at the end, or at the start when `keep_tail`, to at most `width` cells, with "…" where something was cut.
std::string fit_width(std::string_view text, int width, bool keep_tail = false);

/// " (modelled)" behind something that comes from a cost model, else nothing.
const char* clock_mark(Clock clock);

/// "train.py" of "/home/me/train.py".
std::string base_name(std::string_view path);
std::string trimmed(std::string_view text);

}  // namespace fusescope::report
