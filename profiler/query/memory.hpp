// How much memory was live on each device, over time?
#pragma once

#include <string>
#include <vector>

#include "profiler/query/common.hpp"

namespace fusescope::query {

struct MemoryPoint {
    std::int64_t time_ns = 0;
    std::int64_t total_bytes = 0;
    std::int64_t op_event_id = 0;  ///< 0 when no op was running
};

struct MemorySeries {
    std::string device;
    std::int64_t events = 0;
    std::int64_t peak_bytes = 0;
    std::int64_t peak_ns = 0;
    std::int64_t last_bytes = 0;
    std::vector<MemoryPoint> points;  ///< in order of time; where thinned, the highest of each stretch is kept
};

/// One series per device. At most about `points` points each; the peak is always among them.
std::vector<MemorySeries> memory_series(Database& database, const TimeRange& range = {}, int points = 2000);

}  // namespace fusescope::query
