// What was in the outputs of an op?
#include "profiler/query/tensors.hpp"

namespace fusescope::query {

namespace {

constexpr const char* kColumns =
    "SELECT id, op_event_id, output, dtype, shape, count, nan, inf, zero, min, max, mean, std, first_bad_index, "
    "coalesce(length(value), 0) FROM tensor ";

TensorInfo read(const Statement& statement) {
    TensorInfo info;
    statement.read(info.id, info.op_event_id, info.output, info.dtype, info.shape, info.count, info.nan, info.inf,
                   info.zero, info.min, info.max, info.mean, info.std, info.first_bad_index, info.value_bytes);
    return info;
}

std::vector<TensorInfo> read_all(Statement statement) {
    std::vector<TensorInfo> all;
    while (statement.step()) all.push_back(read(statement));
    return all;
}

}  // namespace

std::vector<TensorInfo> tensors_of(Database& database, std::int64_t op_event_id) {
    Statement statement = database.prepare(std::string(kColumns) + "WHERE op_event_id = ?1 ORDER BY output");
    statement.bind_all(op_event_id);
    return read_all(std::move(statement));
}

std::optional<TensorInfo> tensor(Database& database, std::int64_t id) {
    Statement statement = database.prepare(std::string(kColumns) + "WHERE id = ?1");
    statement.bind_all(id);
    if (!statement.step()) return std::nullopt;
    return read(statement);
}

std::vector<std::byte> tensor_value(Database& database, std::int64_t tensor_id) {
    Statement statement = database.prepare("SELECT value FROM tensor WHERE id = ?1");
    statement.bind_all(tensor_id);
    return statement.step() ? statement.blob(0) : std::vector<std::byte>();
}

std::vector<TensorInfo> unhealthy_tensors(Database& database, std::int64_t limit) {
    Statement statement =
        database.prepare(std::string(kColumns) + "WHERE nan > 0 OR inf > 0 ORDER BY op_event_id, output LIMIT ?1");
    statement.bind_all(limit);
    return read_all(std::move(statement));
}

}  // namespace fusescope::query
