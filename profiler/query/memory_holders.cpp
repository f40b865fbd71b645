// Who holds the memory that is live at a moment?
#include "profiler/query/memory_holders.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace fusescope::query {

namespace {

/// A stretch of the live bytes, from `below` up to the next one's.
struct Growth {
    std::int64_t below = 0, top = 0;
    std::int64_t op_event = 0;
    std::int64_t time_ns = 0;
    bool before_recording = false;
};

std::vector<Growth> live_at(Database& database, const std::string& device, std::int64_t time_ns) {
    Statement statement = database.prepare(
        "SELECT time_ns, delta_bytes, total_bytes, op_event_id FROM memory_event WHERE device = ?1 AND time_ns <= ?2 "
        "ORDER BY time_ns, id");
    statement.bind_all(device, time_ns);
    std::vector<Growth> live;
    bool first = true;
    while (statement.step()) {
        const std::int64_t time = statement.integer(0), total = std::max<std::int64_t>(0, statement.integer(2));
        if (std::exchange(first, false)) {
            const std::int64_t known = std::max<std::int64_t>(0, total - statement.integer(1));
            if (known > 0) live.push_back({0, known, 0, time, true});
        }
        while (!live.empty() && live.back().below >= total) live.pop_back();
        if (!live.empty()) live.back().top = std::min(live.back().top, total);
        const std::int64_t reached = live.empty() ? 0 : live.back().top;
        if (total > reached) live.push_back({reached, total, statement.integer(3), time, false});
    }
    return live;
}

}  // namespace

std::vector<MemoryHolder> memory_holders(Database& database, const std::string& device, std::int64_t time_ns) {
    Statement event = database.prepare(
        "SELECT e.kind_id, k.name, f.source_id, f.line, s.path FROM op_event e LEFT JOIN op_kind k ON k.id = e.kind_id "
        "LEFT JOIN frame f ON f.id = e.frame_id LEFT JOIN source s ON s.id = f.source_id WHERE e.id = ?1");
    std::map<std::tuple<MemoryHolder::What, std::int64_t, std::int64_t, std::int64_t>, MemoryHolder> holders;
    std::map<decltype(holders)::key_type, std::int64_t> largest;
    for (const Growth& growth : live_at(database, device, time_ns)) {
        MemoryHolder found;
        found.what = growth.before_recording ? MemoryHolder::What::before : MemoryHolder::What::outside;
        if (growth.op_event != 0) {
            event.bind_all(growth.op_event);
            if (event.step()) {
                found.what = MemoryHolder::What::op;
                event.read(found.kind_id, found.op, found.source_id, found.line, found.path);
            }
            event.reset();
        }
        const std::tuple key(found.what, found.kind_id, found.source_id, found.line);
        const auto [at, fresh] = holders.try_emplace(key, std::move(found));
        MemoryHolder& holder = at->second;
        const std::int64_t bytes = growth.top - growth.below;
        holder.since_ns = fresh ? growth.time_ns : std::min(holder.since_ns, growth.time_ns);
        holder.bytes += bytes;
        ++holder.pieces;
        if (bytes > largest[key]) {
            largest[key] = bytes;
            holder.op_event_id = holder.what == MemoryHolder::What::op ? growth.op_event : 0;
        }
    }
    std::vector<MemoryHolder> rows;
    for (auto& [key, holder] : holders) rows.push_back(std::move(holder));
    std::stable_sort(rows.begin(), rows.end(),
                     [](const MemoryHolder& a, const MemoryHolder& b) { return a.bytes > b.bytes; });
    return rows;
}

}  // namespace fusescope::query
