// What changed from one profile to another: the base, and the new one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "profiler/report/report.hpp"

namespace fusescope::report {

/// One thing in both profiles; a count of 0 means that this profile does not have it.
struct Delta {
    std::string name;
    std::string detail;  ///< the line's text; the kernel's members
    std::int64_t base_count = 0, new_count = 0;
    std::int64_t base_value = 0, new_value = 0;  ///< ns or bytes

    std::int64_t change() const { return new_value - base_value; }
    /// Nothing when the base is zero.
    std::optional<double> percent() const;
};

struct ClockComparison {
    Clock clock = Clock::measured;
    Delta total;
    std::vector<Delta> ops, lines, kernels;  ///< largest change first
};

struct Comparison {
    std::string base_profile, new_profile;
    std::string base_head, new_head;     ///< script, mode, device, status
    Delta wall, compile;                 ///< measured
    std::vector<ClockComparison> times;  ///< only clocks that occur
    std::vector<Delta> transfers;        ///< bytes by cause and direction
    std::vector<Delta> transfer_times;   ///< ns by cause, direction and clock
    std::vector<Delta> memory;           ///< peak bytes by device
    std::vector<FindingRow> new_findings, gone_findings;
    std::vector<std::string> warnings;  ///< why the two may not be comparable
};

Comparison compare(const Report& base, const Report& changed);

/// How much the total op time grew, in percent: of measured time when both have some, else of modelled time when both
/// have some. Nothing when the two share no clock, or the base took no time.
std::optional<double> growth(const Comparison& comparison);

Document to_document(const Comparison& comparison);
std::string to_json(const Comparison& comparison);

}  // namespace fusescope::report
