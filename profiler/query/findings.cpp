// What should the user know?
#include "profiler/query/findings.hpp"

namespace fusescope::query {

namespace {

constexpr const char* kColumns =
    "SELECT g.id, g.kind, g.severity, g.op_event_id, g.frame_id, s.path, f.line, g.message, g.detail FROM finding g "
    "LEFT JOIN frame f ON f.id = g.frame_id LEFT JOIN source s ON s.id = f.source_id ";

FindingInfo read(const Statement& statement) {
    FindingInfo info;
    statement.read(info.id, info.kind, info.severity, info.op_event_id, info.frame_id, info.path, info.line,
                   info.message, info.detail);
    return info;
}

}  // namespace

std::vector<FindingInfo> findings(Database& database, std::int64_t after_id) {
    std::vector<FindingInfo> all;
    Statement statement = database.prepare(std::string(kColumns) + "WHERE g.id > ?1 ORDER BY g.id");
    statement.bind_all(after_id);
    while (statement.step()) all.push_back(read(statement));
    return all;
}

std::optional<FindingInfo> finding(Database& database, std::int64_t id) {
    Statement statement = database.prepare(std::string(kColumns) + "WHERE g.id = ?1");
    statement.bind_all(id);
    if (!statement.step()) return std::nullopt;
    return read(statement);
}

}  // namespace fusescope::query
