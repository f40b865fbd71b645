// What was copied between host and device, and why?
#include "profiler/query/transfers.hpp"

namespace fusescope::query {

namespace {

constexpr const char* kColumns =
    "SELECT t.id, t.run_id, t.kind, t.reason, t.bytes, t.start_ns, t.duration_ns, t.clock, t.pinned, t.frame_id, "
    "s.path, f.line, t.op_event_id, t.stream FROM transfer t LEFT JOIN frame f ON f.id = t.frame_id LEFT JOIN source s "
    "ON s.id = f.source_id ";

constexpr const char* kSums =
    "t.kind, t.reason, t.clock, count(*) FILTER (WHERE t.duration_ns >= 0), "
    "coalesce(sum(t.bytes) FILTER (WHERE t.duration_ns >= 0), 0) AS moved, "
    "coalesce(sum(t.duration_ns) FILTER (WHERE t.duration_ns >= 0), 0), count(*) FILTER (WHERE t.duration_ns < 0)";

Transfer read(const Statement& statement) {
    Transfer t;
    statement.read(t.id, t.run_id, t.kind, t.reason, t.bytes, t.start_ns, t.duration_ns, t.clock, t.pinned, t.frame_id,
                   t.path, t.line, t.op_event_id, t.stream);
    return t;
}

}  // namespace

std::vector<Transfer> transfers(Database& database, std::int64_t after_id, std::int64_t limit) {
    std::vector<Transfer> all;
    Statement statement = database.prepare(std::string(kColumns) + "WHERE t.id > ?1 ORDER BY t.id LIMIT ?2");
    statement.bind_all(after_id, limit);
    while (statement.step()) all.push_back(read(statement));
    return all;
}

std::optional<Transfer> transfer(Database& database, std::int64_t id) {
    Statement statement = database.prepare(std::string(kColumns) + "WHERE t.id = ?1");
    statement.bind_all(id);
    if (!statement.step()) return std::nullopt;
    return read(statement);
}

std::vector<TransferSum> transfer_sums(Database& database) {
    std::vector<TransferSum> all;
    Statement statement = database.prepare(std::string("SELECT ") + kSums +
                                           " FROM transfer t GROUP BY t.kind, t.reason, t.clock ORDER BY moved DESC");
    while (statement.step()) {
        TransferSum& sum = all.emplace_back();
        statement.read(sum.kind, sum.reason, sum.clock, sum.count, sum.bytes, sum.duration_ns, sum.invalid);
    }
    return all;
}

std::vector<TransferLine> transfers_by_line(Database& database) {
    std::vector<TransferLine> all;
    Statement statement = database.prepare(
        std::string("SELECT ") + kSums +
        ", f.source_id, s.path, f.line, min(t.frame_id) FROM transfer t LEFT JOIN frame f ON f.id = t.frame_id LEFT "
        "JOIN source s ON s.id = f.source_id GROUP BY f.source_id, f.line, t.kind, t.reason, t.clock ORDER BY moved "
        "DESC");
    while (statement.step()) {
        TransferLine& sum = all.emplace_back();
        statement.read(sum.kind, sum.reason, sum.clock, sum.count, sum.bytes, sum.duration_ns, sum.invalid,
                       sum.source_id, sum.path, sum.line, sum.frame_id);
    }
    return all;
}

}  // namespace fusescope::query
