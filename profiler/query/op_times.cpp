// Where did the time go?
#include "profiler/query/op_times.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace fusescope::query {

namespace {

/// Columns of Totals over events `e`. Whatever is summed leaves out events with a negative duration.
constexpr const char* kTotals =
    "e.clock, count(*) FILTER (WHERE e.duration_ns >= 0), "
    "coalesce(sum(e.duration_ns) FILTER (WHERE e.duration_ns >= 0), 0), "
    "coalesce(min(e.duration_ns) FILTER (WHERE e.duration_ns >= 0), 0), "
    "coalesce(max(e.duration_ns) FILTER (WHERE e.duration_ns >= 0), 0), "
    "coalesce(sum(e.bytes_read) FILTER (WHERE e.duration_ns >= 0), 0), "
    "coalesce(sum(e.bytes_written) FILTER (WHERE e.duration_ns >= 0), 0), "
    "coalesce(sum(e.flops) FILTER (WHERE e.duration_ns >= 0), 0), "
    "count(*) FILTER (WHERE e.duration_ns < 0)";

template <class... Keys>
void read(const Statement& statement, Totals& t, Keys&... keys) {
    statement.read(t.clock, t.calls, t.total_ns, t.min_ns, t.max_ns, t.bytes_read, t.bytes_written, t.flops, t.invalid,
                   keys...);
}

/// SELECT <totals>, keys FROM op_event e … WHERE <filter> GROUP BY group, e.clock
Statement grouped(Database& database, const EventFilter& filter, const std::string& keys, const std::string& group) {
    std::string sql = std::string("SELECT ") + kTotals;
    if (!keys.empty()) sql += ", " + keys;
    sql += " FROM op_event e";
    if (filter.needs_frame()) sql += " LEFT JOIN frame f ON f.id = e.frame_id";
    sql += " WHERE " + filter.sql() + " GROUP BY ";
    if (!group.empty()) sql += group + ", ";
    sql += "e.clock";
    Statement statement = database.prepare(sql);
    filter.bind_to(statement, 1);
    return statement;
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
    // Events are grouped by number and named afterwards: a join for each of a million events costs more than the sums.
    auto kinds = names(database, "SELECT id, name FROM op_kind");
    std::vector<KindTime> rows;
    Statement statement = grouped(database, filter, "e.kind_id", "e.kind_id");
    while (statement.step()) {
        KindTime& row = rows.emplace_back();
        read(statement, row, row.kind_id);
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
    Statement statement = grouped(database, filter, "e.frame_id", "e.frame_id");
    while (statement.step()) {
        Totals totals;
        std::int64_t frame = 0;
        read(statement, totals, frame);
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
    Statement statement = grouped(database, filter, "e.node_id, max(e.kind_id)", "e.node_id");
    Statement node = database.prepare(
        "SELECT n.name, n.op, n.scope, g.id, g.name FROM node n LEFT JOIN stage s ON s.id = n.stage_id LEFT JOIN graph "
        "g ON g.id = s.graph_id WHERE n.id = ?1");
    while (statement.step()) {
        NodeTime row;
        read(statement, row, row.node_id, row.kind_id);
        if (row.node_id == 0) continue;
        node.bind_all(row.node_id);
        if (node.step()) {
            node.read(row.name, row.op, row.scope, row.graph_id, row.graph);
            node.reset();
        }
        rows.push_back(std::move(row));
    }
    longest_first(rows);
    return rows;
}

std::vector<ScopeTime> times_by_scope(Database& database, const EventFilter& filter) {
    auto paths = names(database, "SELECT id, path FROM scope");
    std::map<std::pair<std::string, Clock>, ScopeTime> scopes;
    Statement statement = grouped(database, filter, "e.scope_id", "e.scope_id");
    while (statement.step()) {
        Totals totals;
        std::int64_t id = 0;
        read(statement, totals, id);
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
    Statement statement =
        grouped(database, filter, "e.step, min(e.launch_ns), max(e.start_ns + max(e.duration_ns, 0))", "e.step");
    while (statement.step()) {
        StepTime& row = rows.emplace_back();
        read(statement, row, row.step, row.begin_ns, row.end_ns);
    }
    return rows;
}

std::vector<Totals> total_times(Database& database, const EventFilter& filter) {
    std::vector<Totals> rows;
    Statement statement = grouped(database, filter, "", "");
    while (statement.step()) read(statement, rows.emplace_back());
    return rows;
}

}  // namespace fusescope::query
