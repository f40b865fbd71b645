// What happened when, on which track? Answers stay small however many events there are.
#pragma once

#include <string>
#include <vector>

#include "profiler/query/common.hpp"

namespace fusescope::query {

/// A row of the time line: a host thread that computes itself, or a stream of a device.
struct Track {
    int index = 0;            ///< place in tracks(); slices refer to it
    std::string device;       ///< "cpu", "ascend", "ascend-model"
    std::int64_t number = 0;  ///< thread of the CPU, stream of another device
    bool transfers = false;   ///< copies instead of ops
    Clock clock = Clock::measured;
    std::int64_t events = 0;
};

/// Tracks that have events: ops first, then transfers.
std::vector<Track> tracks(Database& database);

/// One event, or several close ones drawn as one.
struct Slice {
    std::int64_t id = 0;  ///< of the op_event or transfer; of the longest one when `events` > 1
    std::int64_t start_ns = 0;
    std::int64_t duration_ns = 0;  ///< from the start of the first to the end of the last
    std::int64_t busy_ns = 0;      ///< sum of durations
    std::int64_t kind_id = 0;      ///< op kind of `id`; 0 for transfers
    std::int64_t events = 1;
};

/// What overlaps `range` on `track`, in order of start. Events that begin in the same 1/`pixels` of the range are
/// merged into one slice, so at most `pixels` + 1 slices come back.
std::vector<Slice> slices(Database& database, const Track& track, const TimeRange& range, int pixels = 2000);

}  // namespace fusescope::query
