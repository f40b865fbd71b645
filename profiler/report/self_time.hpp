// Self time: what is left of an interval when the intervals inside it are taken away.
#pragma once

#include <cstdint>
#include <vector>

namespace fusescope::report {

struct Interval {
    std::int64_t start_ns = 0;
    std::int64_t duration_ns = 0;
    std::uint32_t lane = 0;  ///< intervals of one lane (host thread, stream) nest; lanes run beside each other
};

/// One self time for each interval. A moment belongs to the innermost interval of a lane; when several lanes are busy
/// at once, they share it equally. So the sum is exactly the time in which anything ran, and never exceeds the wall.
/// Times in an untrusted file may be anything: an interval that would end beyond the range of int64 ends there.
std::vector<std::int64_t> self_times(const std::vector<Interval>& intervals);

}  // namespace fusescope::report
