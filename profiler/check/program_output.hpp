// Whether two runs printed the same.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "profiler/check/difference.hpp"

namespace fusescope::check {

struct TextDifference {
    std::int64_t line = 0;      ///< of the first that differs, from 1
    std::string first, second;  ///< the two lines; empty where one run printed fewer
    std::int64_t lines = 0;     ///< how many differ
};

/// Compares line by line. Numbers are the same when they are close, or one unit of the last printed digit apart;
/// durations
/// ("12.5 ms") are not compared. `again` is what a second run of the first kind printed: what differs from run to run
/// anyhow (dates, addresses) is not compared either.
std::optional<TextDifference> text_difference(const std::string& first, const std::string& second,
                                              const std::string* again, const Tolerance& tolerance);

/// "ValueError: no more" of what Python wrote about an exception that nobody caught: its first line when it has
/// several.
std::string exception_line(const std::string& errors);

}  // namespace fusescope::check
