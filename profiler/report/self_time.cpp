#include "profiler/report/self_time.hpp"

#include <algorithm>
#include <limits>

namespace fusescope::report {

namespace {

struct Edge {
    std::int64_t time;
    std::int64_t other;  ///< the interval's other end
    std::uint32_t index;
    bool starts;
};

std::int64_t end_of(const Interval& interval) {
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    return interval.start_ns > 0 && interval.duration_ns > most - interval.start_ns
               ? most
               : interval.start_ns + interval.duration_ns;
}

}  // namespace

std::vector<std::int64_t> self_times(const std::vector<Interval>& intervals) {
    std::vector<std::int64_t> self(intervals.size(), 0);
    std::vector<Edge> edges;
    edges.reserve(intervals.size() * 2);
    for (std::size_t i = 0; i < intervals.size(); ++i) {
        if (intervals[i].duration_ns <= 0) continue;
        const std::int64_t start = intervals[i].start_ns, end = end_of(intervals[i]);
        if (end <= start) continue;  // also what a damaged file lets begin where time ends
        edges.push_back({start, end, static_cast<std::uint32_t>(i), true});
        edges.push_back({end, start, static_cast<std::uint32_t>(i), false});
    }
    // At the same moment: ends first, then starts with the longest first, which is the outermost.
    std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
        if (a.time != b.time) return a.time < b.time;
        if (a.starts != b.starts) return !a.starts;
        if (a.other != b.other) return a.other > b.other;
        return a.starts ? a.index < b.index : a.index > b.index;
    });
    struct Lane {
        std::uint32_t number;
        std::vector<std::uint32_t> open;  ///< the last one is the innermost
    };
    std::vector<Lane> busy;  // few: one for each thread or stream that is at work at this moment
    std::int64_t before = 0;
    std::size_t turn = 0;  // who gets the nanoseconds that cannot be divided
    for (const Edge& edge : edges) {
        if (!busy.empty() && edge.time > before) {
            const auto lanes = static_cast<std::int64_t>(busy.size());
            const std::int64_t share = (edge.time - before) / lanes, rest = (edge.time - before) % lanes;
            for (const Lane& lane : busy) self[lane.open.back()] += share;
            for (std::int64_t i = 0; i < rest; ++i) self[busy[turn++ % busy.size()].open.back()] += 1;
        }
        before = edge.time;
        const std::uint32_t number = intervals[edge.index].lane;
        auto lane = std::find_if(busy.begin(), busy.end(), [&](const Lane& l) { return l.number == number; });
        if (edge.starts) {
            if (lane == busy.end()) lane = busy.insert(busy.end(), Lane{number, {}});
            lane->open.push_back(edge.index);
        } else {
            const auto at = std::find(lane->open.rbegin(), lane->open.rend(), edge.index);
            lane->open.erase(std::next(at).base());
            if (lane->open.empty()) busy.erase(lane);
        }
    }
    return self;
}

}  // namespace fusescope::report
