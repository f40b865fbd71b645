// What happened when, on which track?
#include "profiler/query/timeline.hpp"

#include <algorithm>

namespace fusescope::query {

std::string Track::label() const {
    std::string name = device == "cpu"            ? "CPU"
                       : device == "ascend"       ? "Ascend"
                       : device == "ascend-model" ? "Ascend model"
                                                  : device;
    if (transfers) {
        name = "Copies, stream " + std::to_string(number);
    } else {
        name += (device == "cpu" ? " thread " : " stream ") + std::to_string(number);
    }
    if (clock == Clock::modelled) name += " (modelled)";
    return name;
}

std::vector<Track> tracks(Database& database) {
    std::vector<Track> all;
    Statement ops = database.prepare(
        "SELECT device, CASE device WHEN 'cpu' THEN thread ELSE stream END AS number, clock, count(*) FROM op_event "
        "GROUP BY 1, 2, 3 ORDER BY device <> 'cpu', device, 2, 3");
    while (ops.step()) {
        Track& track = all.emplace_back();
        ops.read(track.device, track.number, track.clock, track.events);
    }
    Statement copies = database.prepare("SELECT stream, clock, count(*) FROM transfer GROUP BY 1, 2 ORDER BY 1, 2");
    while (copies.step()) {
        Track& track = all.emplace_back();
        copies.read(track.number, track.clock, track.events);
        track.transfers = true;
    }
    for (std::size_t i = 0; i < all.size(); ++i) all[i].index = static_cast<int>(i);
    return all;
}

std::vector<Slice> slices(Database& database, const Track& track, const TimeRange& range, int pixels) {
    // What began before the range and reaches into it is found by looking back from its begin: by the longest event on
    // the track, which is asked for once.
    std::string on_track = track.transfers         ? "coalesce(stream, 0) = ?1 AND clock = ?2"
                           : track.device == "cpu" ? "coalesce(thread, 0) = ?1 AND clock = ?2 AND device = ?3"
                                                   : "coalesce(stream, 0) = ?1 AND clock = ?2 AND device = ?3";
    std::string table = track.transfers ? "transfer" : "op_event";
    std::string kind = track.transfers ? "0" : "kind_id";
    auto bind_track = [&](Statement& statement) {
        statement.bind(1, track.number);
        statement.bind(2, name_of(track.clock));
        if (!track.transfers) statement.bind(3, track.device);
    };
    bool whole = range.begin_ns == std::numeric_limits<std::int64_t>::min();
    std::int64_t look_back = 0;
    if (!whole) look_back = database.integer("SELECT max(duration_ns) FROM " + table);
    std::int64_t from = whole ? range.begin_ns : range.begin_ns - std::max<std::int64_t>(look_back, 0);

    std::int64_t begin = range.begin_ns;
    std::int64_t end = range.end_ns;
    if (whole) begin = database.integer("SELECT min(start_ns) FROM " + table);
    if (end == std::numeric_limits<std::int64_t>::max()) {
        end = database.integer("SELECT max(start_ns + max(duration_ns, 0)) FROM " + table) + 1;
    }
    std::int64_t pixel = std::max<std::int64_t>((end - begin) / std::max(pixels, 1), 1);

    std::vector<Slice> all;
    Statement statement = database.prepare("SELECT id, start_ns, duration_ns, " + kind + " FROM " + table +
                                           " WHERE start_ns >= ?4 AND start_ns < ?5 AND duration_ns >= 0 AND " +
                                           on_track + " ORDER BY start_ns");
    bind_track(statement);
    statement.bind(4, from);
    statement.bind(5, end);
    std::int64_t longest = 0;
    while (statement.step()) {
        Slice next;
        statement.read(next.id, next.start_ns, next.duration_ns, next.kind_id);
        if (next.start_ns + next.duration_ns < begin) continue;
        next.busy_ns = next.duration_ns;
        auto column = [&](std::int64_t ns) { return std::max(ns - begin, std::int64_t{0}) / pixel; };
        if (!all.empty() && column(all.back().start_ns) == column(next.start_ns)) {
            Slice& last = all.back();
            last.duration_ns = std::max(last.duration_ns, next.start_ns + next.duration_ns - last.start_ns);
            last.busy_ns += next.busy_ns;
            ++last.events;
            if (next.duration_ns > longest) {
                longest = next.duration_ns;
                last.id = next.id;
                last.kind_id = next.kind_id;
            }
        } else {
            longest = next.duration_ns;
            all.push_back(next);
        }
    }
    return all;
}

}  // namespace fusescope::query
