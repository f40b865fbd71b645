// How much memory was live on each device, over time?
#include "profiler/query/memory.hpp"

#include <algorithm>
#include <map>

namespace fusescope::query {

std::vector<MemorySeries> memory_series(Database& database, const TimeRange& range, int points) {
    std::map<std::string, MemorySeries> all;
    Statement statement = database.prepare(
        "SELECT device, time_ns, total_bytes, op_event_id FROM memory_event WHERE time_ns >= ?1 AND time_ns < ?2 ORDER "
        "BY time_ns, id");
    statement.bind_all(range.begin_ns, range.end_ns);
    while (statement.step()) {
        MemoryPoint point;
        std::string device;
        statement.read(device, point.time_ns, point.total_bytes, point.op_event_id);
        MemorySeries& series = all[device];
        series.device = device;
        if (series.events++ == 0 || point.total_bytes > series.peak_bytes) {
            series.peak_bytes = point.total_bytes;
            series.peak_ns = point.time_ns;
        }
        series.last_bytes = point.total_bytes;
        series.points.push_back(point);
    }
    std::vector<MemorySeries> result;
    for (auto& [device, series] : all) {
        // First and last stay, so that the curve keeps its ends; in between the highest point of each stretch.
        std::size_t most = static_cast<std::size_t>(std::max(points, 2));
        if (series.points.size() > most) {
            std::vector<MemoryPoint> kept;
            for (std::size_t i = 0; i < most; ++i) {
                auto begin = series.points.begin() + static_cast<std::ptrdiff_t>(series.points.size() * i / most);
                auto end = series.points.begin() + static_cast<std::ptrdiff_t>(series.points.size() * (i + 1) / most);
                kept.push_back(*std::max_element(begin, end, [](const MemoryPoint& a, const MemoryPoint& b) {
                    return a.total_bytes < b.total_bytes;
                }));
            }
            if (kept.front().time_ns != series.points.front().time_ns) {
                kept.insert(kept.begin(), series.points.front());
            }
            if (kept.back().time_ns != series.points.back().time_ns) kept.push_back(series.points.back());
            series.points = std::move(kept);
        }
        result.push_back(std::move(series));
    }
    return result;
}

}  // namespace fusescope::query
