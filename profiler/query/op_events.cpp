// Which ops ran, one by one?
#include "profiler/query/op_events.hpp"

namespace fusescope::query {

namespace {

constexpr const char* kColumns =
    "SELECT e.id, e.run_id, e.step, e.kind_id, k.name, e.node_id, e.frame_id, s.path, f.line, e.scope_id, c.path, "
    "e.mode, e.device, e.phase, e.stream, e.thread, e.launch_ns, e.start_ns, e.duration_ns, e.clock, e.bytes_read, "
    "e.bytes_written, e.flops FROM op_event e LEFT JOIN op_kind k ON k.id = e.kind_id LEFT JOIN frame f ON f.id = "
    "e.frame_id LEFT JOIN source s ON s.id = f.source_id LEFT JOIN scope c ON c.id = e.scope_id ";

OpEventInfo read(const Statement& statement) {
    OpEventInfo e;
    statement.read(e.id, e.run_id, e.step, e.kind_id, e.name, e.node_id, e.frame_id, e.path, e.line, e.scope_id,
                   e.scope, e.mode, e.device, e.phase, e.stream, e.thread, e.launch_ns, e.start_ns, e.duration_ns,
                   e.clock, e.bytes_read, e.bytes_written, e.flops);
    return e;
}

}  // namespace

std::vector<OpEventInfo> op_events(Database& database, const EventFilter& filter, std::int64_t after_id,
                                   std::int64_t limit) {
    std::vector<OpEventInfo> all;
    Statement statement =
        database.prepare(kColumns + ("WHERE " + filter.sql()) + " AND e.id > ? ORDER BY e.id LIMIT ?");
    int parameter = filter.bind_to(statement, 1);
    statement.bind(parameter, after_id);
    statement.bind(parameter + 1, limit);
    while (statement.step()) all.push_back(read(statement));
    return all;
}

std::optional<OpEventInfo> op_event(Database& database, std::int64_t id) {
    Statement statement = database.prepare(std::string(kColumns) + "WHERE e.id = ?1");
    statement.bind_all(id);
    if (!statement.step()) return std::nullopt;
    return read(statement);
}

std::int64_t count_op_events(Database& database, const EventFilter& filter) {
    std::string sql = "SELECT count(*) FROM op_event e";
    if (filter.needs_frame()) sql += " LEFT JOIN frame f ON f.id = e.frame_id";
    Statement statement = database.prepare(sql + " WHERE " + filter.sql());
    filter.bind_to(statement, 1);
    return statement.step() ? statement.integer(0) : 0;
}

std::optional<OpEventInfo> last_op_event(Database& database) {
    Statement statement = database.prepare("SELECT max(id) FROM op_event");
    std::int64_t id = 0;
    if (!statement.step()) return std::nullopt;
    statement.read(id);
    return op_event(database, id);
}

}  // namespace fusescope::query
