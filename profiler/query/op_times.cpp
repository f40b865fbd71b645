// Where did the time go?
#include "profiler/query/op_times.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace fusescope::query {

namespace {

/// Adds one event to sums that are kept by key and clock. SQLite's own GROUP BY would sort all events first, which
/// takes several times as long as adding them up here.
struct Sum : Totals {
    std::int64_t key = 0;
    std::int64_t kind_id = 0;   ///< of one of the events
    std::int64_t begin_ns = 0;  ///< first launch
    std::int64_t end_ns = 0;    ///< last end
};

/// Sums of the events that pass the filter by `key`, a column of op_event `e`, and clock; in order of keys.
std::vector<Sum> sums_by(Database& database, const EventFilter& filter, const std::string& key) {
    std::string sql = "SELECT " + key +
                      ", e.kind_id, e.clock = 'modelled', e.duration_ns, e.bytes_read, e.bytes_written, e.flops, "
                      "e.launch_ns, e.start_ns FROM op_event e";
    if (filter.needs_frame()) sql += " LEFT JOIN frame f ON f.id = e.frame_id";
    Statement statement = database.prepare(sql + " WHERE " + filter.sql());
    filter.bind_to(statement, 1);

    std::unordered_map<std::int64_t, Sum> sums[2];
    while (statement.step()) {
        std::int64_t id = statement.integer(0);
        bool modelled = statement.integer(2) != 0;
        Sum& sum = sums[modelled][id];
        std::int64_t duration = statement.integer(3);
        std::int64_t launch = statement.integer(7);
        std::int64_t end = statement.integer(8) + std::max<std::int64_t>(duration, 0);
        if (sum.calls + sum.invalid == 0) {
            sum.key = id;
            sum.clock = modelled ? Clock::modelled : Clock::measured;
            sum.begin_ns = launch;
            sum.end_ns = end;
            sum.kind_id = statement.integer(1);
        }
        sum.begin_ns = std::min(sum.begin_ns, launch);
        sum.end_ns = std::max(sum.end_ns, end);
        if (duration < 0) {
            ++sum.invalid;
            continue;
        }
        sum.min_ns = sum.calls > 0 ? std::min(sum.min_ns, duration) : duration;
        sum.max_ns = std::max(sum.max_ns, duration);
        ++sum.calls;
        sum.total_ns += duration;
        sum.bytes_read += statement.integer(4);
        sum.bytes_written += statement.integer(5);
        sum.flops += statement.integer(6);
    }
    std::vector<Sum> all;
    for (auto& of_clock : sums) {
        for (auto& [id, sum] : of_clock) all.push_back(sum);
    }
    std::sort(all.begin(), all.end(),
              [](const Sum& a, const Sum& b) { return std::tie(a.key, a.clock) < std::tie(b.key, b.clock); });
    return all;
}

template <class Row>
void longest_first(std::vector<Row>& rows) {
    std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.total_ns > b.total_ns; });
}

void add(Totals& sum, const Totals& more) {
    if (more.calls > 0) {
        sum.min_ns = sum.calls > 0 ? std::min(sum.min_ns, more.min_ns) : more.min_ns;
        sum.max_ns = std::max(sum.max_ns, more.max_ns);
    }
    sum.calls += more.calls;
    sum.total_ns += more.total_ns;
    sum.bytes_read += more.bytes_read;
    sum.bytes_written += more.bytes_written;
    sum.flops += more.flops;
    sum.invalid += more.invalid;
}

std::map<std::int64_t, std::string> names(Database& database, const char* sql) {
    std::map<std::int64_t, std::string> all;
    Statement statement = database.prepare(sql);
    while (statement.step()) all[statement.integer(0)] = statement.text(1);
    return all;
}

}  // namespace

std::vector<KindTime> times_by_kind(Database& database, const EventFilter& filter) {
    auto kinds = names(database, "SELECT id, name FROM op_kind");
    std::vector<KindTime> rows;
    for (const Sum& sum : sums_by(database, filter, "e.kind_id")) {
        KindTime& row = rows.emplace_back();
        static_cast<Totals&>(row) = sum;
        row.kind_id = sum.key;
        row.name = kinds[row.kind_id];
    }
    longest_first(rows);
    return rows;
}

std::vector<LineTime> times_by_line(Database& database, const EventFilter& filter) {
    struct Place {
        std::int64_t source = 0, line = 0;
        std::string function;
    };
    std::map<std::int64_t, Place> frames;
    Statement all_frames = database.prepare("SELECT id, source_id, line, function FROM frame");
    while (all_frames.step()) {
        std::int64_t id = 0;
        Place place;
        all_frames.read(id, place.source, place.line, place.function);
        frames[id] = std::move(place);
    }
    auto paths = names(database, "SELECT id, path FROM source");

    std::map<std::tuple<std::int64_t, std::int64_t, Clock>, LineTime> lines;
    for (const Sum& totals : sums_by(database, filter, "e.frame_id")) {
        std::int64_t frame = totals.key;
        const Place& place = frames[frame];
        LineTime& line = lines[{place.source, place.line, totals.clock}];
        if (line.calls + line.invalid == 0) {
            line.clock = totals.clock;
            line.source_id = place.source;
            line.line = place.line;
            line.frame_id = frame;
            line.path = paths[place.source];
            line.function = place.function;
        }
        add(line, totals);
    }
    std::vector<LineTime> rows;
    for (auto& [key, line] : lines) rows.push_back(std::move(line));
    longest_first(rows);
    return rows;
}

std::vector<NodeTime> times_by_node(Database& database, const EventFilter& filter) {
    std::vector<NodeTime> rows;
    Statement node = database.prepare(
        "SELECT n.name, n.op, n.scope, g.id, g.name FROM node n LEFT JOIN stage s ON s.id = n.stage_id LEFT JOIN graph "
        "g ON g.id = s.graph_id WHERE n.id = ?1");
    for (const Sum& sum : sums_by(database, filter, "e.node_id")) {
        if (sum.key == 0) continue;
        NodeTime& row = rows.emplace_back();
        static_cast<Totals&>(row) = sum;
        row.node_id = sum.key;
        row.kind_id = sum.kind_id;
        node.bind_all(row.node_id);
        if (node.step()) {
            node.read(row.name, row.op, row.scope, row.graph_id, row.graph);
            node.reset();
        }
    }
    longest_first(rows);
    return rows;
}

std::vector<ScopeTime> times_by_scope(Database& database, const EventFilter& filter) {
    auto paths = names(database, "SELECT id, path FROM scope");
    std::map<std::pair<std::string, Clock>, ScopeTime> scopes;
    for (const Sum& totals : sums_by(database, filter, "e.scope_id")) {
        std::int64_t id = totals.key;
        const std::string& path = paths[id];
        ScopeTime& own = scopes[{path, totals.clock}];
        own.clock = totals.clock;
        own.scope_id = id;
        add(own, totals);
        // Every enclosing scope, each once; the events themselves lie in one scope only.
        for (std::size_t end = path.size();; end = path.rfind('/', end - 1)) {
            ScopeTime& outer = scopes[{path.substr(0, end), totals.clock}];
            outer.clock = totals.clock;
            outer.with_nested_ns += totals.total_ns;
            outer.with_nested_calls += totals.calls;
            if (end == 0 || path.rfind('/', end - 1) == std::string::npos) break;
        }
    }
    std::vector<ScopeTime> rows;
    for (auto& [key, scope] : scopes) {
        scope.path = key.first;
        scope.depth = static_cast<int>(std::count(scope.path.begin(), scope.path.end(), '/'));
        rows.push_back(std::move(scope));
    }
    return rows;
}

std::vector<StepTime> times_by_step(Database& database, const EventFilter& filter) {
    std::vector<StepTime> rows;
    for (const Sum& sum : sums_by(database, filter, "e.step")) {
        StepTime& row = rows.emplace_back();
        static_cast<Totals&>(row) = sum;
        row.step = sum.key;
        row.begin_ns = sum.begin_ns;
        row.end_ns = sum.end_ns;
    }
    return rows;
}

std::vector<Totals> total_times(Database& database, const EventFilter& filter) {
    std::vector<Totals> rows;
    for (const Sum& sum : sums_by(database, filter, "0")) rows.push_back(sum);
    return rows;
}

}  // namespace fusescope::query
