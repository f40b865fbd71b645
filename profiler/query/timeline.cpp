// What happened when, on which track?
#include "profiler/query/timeline.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace fusescope::query {

std::vector<Track> tracks(Database& database) {
    // Counted here and not by GROUP BY, which would sort all events first.
    std::map<std::tuple<bool, bool, std::string, std::int64_t, Clock>, std::int64_t> found;
    auto count = [&](const char* sql, bool transfers) {
        Statement statement = database.prepare(sql);
        // Most events are on the track of the one before.
        std::string device;
        std::int64_t number = 0;
        bool modelled = false;
        std::int64_t* events = nullptr;
        while (statement.step()) {
            if (events == nullptr || statement.text_view(0) != device || statement.integer(1) != number ||
                (statement.integer(2) != 0) != modelled) {
                statement.read(device, number, modelled);
                events =
                    &found[{transfers, device != "cpu", device, number, modelled ? Clock::modelled : Clock::measured}];
            }
            ++*events;
        }
    };
    count("SELECT device, CASE device WHEN 'cpu' THEN thread ELSE stream END, clock = 'modelled' FROM op_event", false);
    count("SELECT '', stream, clock = 'modelled' FROM transfer", true);
    std::vector<Track> all;
    for (const auto& [key, events] : found) {
        Track track;
        track.index = static_cast<int>(all.size());
        track.events = events;
        std::tie(track.transfers, std::ignore, track.device, track.number, track.clock) = key;
        all.push_back(std::move(track));
    }
    return all;
}

namespace {

/// How far back an event may begin that reaches into a range: the longest duration there is. A finished recording
/// knows it; else all events are asked.
std::int64_t longest(Database& database, bool transfers) {
    Statement known = database.prepare("SELECT value FROM meta WHERE key = ?1");
    known.bind_all(transfers ? "longest_transfer_ns" : "longest_op_ns");
    if (known.step()) return known.integer(0);
    return database.integer(transfers ? "SELECT max(duration_ns) FROM transfer"
                                      : "SELECT max(duration_ns) FROM op_event");
}

}  // namespace

std::vector<Slice> slices(Database& database, const Track& track, const TimeRange& range, int pixels) {
    std::string table = track.transfers ? "transfer" : "op_event";
    std::int64_t first = database.integer("SELECT min(start_ns) FROM " + table);
    std::int64_t last = database.integer("SELECT max(start_ns) FROM " + table);
    std::int64_t look_back = std::max<std::int64_t>(longest(database, track.transfers), 0);
    // What began before the range and reaches into it belongs to the answer.
    std::int64_t begin = std::max(range.begin_ns, first);
    std::int64_t end = std::min(range.end_ns, last + look_back + 1);
    if (begin >= end) return {};
    std::int64_t from = begin - look_back;
    std::int64_t pixel = std::max<std::int64_t>((end - begin) / std::max(pixels, 1), 1);

    // Rows of most of the table are read fastest as they lie there; few are found by the index on start_ns.
    bool most = std::min(end, last) - from > (last - first) / 4;
    const char* number = !track.transfers && track.device == "cpu" ? "thread" : "stream";
    Statement statement =
        database.prepare(std::string("SELECT id, start_ns, duration_ns, ") + (track.transfers ? "0" : "kind_id") +
                         " FROM " + table + " WHERE " + (most ? "+" : "") + "start_ns >= ?4 AND " + (most ? "+" : "") +
                         "start_ns < ?5 AND duration_ns >= 0 AND coalesce(" + number + ", 0) = ?1 AND clock = ?2" +
                         (track.transfers ? "" : " AND device = ?3"));
    statement.bind(1, track.number);
    statement.bind(2, name_of(track.clock));
    if (!track.transfers) statement.bind(3, track.device);
    statement.bind(4, from);
    statement.bind(5, end);

    // One place for each pixel; the rows come in any order.
    struct Pixel {
        Slice slice;
        std::int64_t longest = -1;
    };
    std::vector<Pixel> columns(static_cast<std::size_t>((end - begin) / pixel) + 1);
    while (statement.step()) {
        std::int64_t start = statement.integer(1);
        std::int64_t duration = statement.integer(2);
        if (start + duration < begin) continue;
        Pixel& column = columns[static_cast<std::size_t>(std::max<std::int64_t>(start - begin, 0) / pixel)];
        Slice& slice = column.slice;
        std::int64_t stop = start + duration;
        if (column.longest < 0) {
            slice.start_ns = start;
            slice.events = 0;
        } else {
            stop = std::max(stop, slice.start_ns + slice.duration_ns);
            slice.start_ns = std::min(slice.start_ns, start);
        }
        slice.duration_ns = stop - slice.start_ns;
        slice.busy_ns += duration;
        ++slice.events;
        if (duration > column.longest) {
            column.longest = duration;
            slice.id = statement.integer(0);
            slice.kind_id = statement.integer(3);
        }
    }
    std::vector<Slice> all;
    for (const Pixel& column : columns) {
        if (column.longest >= 0) all.push_back(column.slice);
    }
    return all;
}

}  // namespace fusescope::query
