// One pass over each table; nothing is sorted or grouped on the way.
#include "profiler/query/timeline_slices.hpp"

#include <algorithm>

namespace fusescope::query {

namespace {

constexpr const char* kOpColumns =
    "SELECT id, launch_ns, start_ns, duration_ns, kind_id, step, scope_id, thread, stream, device, clock = 'modelled' "
    "FROM op_event ";

OpSlice read(const Statement& row) {
    OpSlice slice;
    slice.id = row.integer(0);
    slice.launch_ns = row.integer(1);
    slice.start_ns = row.integer(2);
    slice.duration_ns = row.integer(3);
    slice.kind_id = row.integer(4);
    slice.step = row.integer(5);
    slice.scope_id = row.integer(6);
    slice.thread = row.integer(7);
    slice.stream = row.integer(8);
    slice.device = row.text_view(9);
    slice.modelled = row.integer(10) != 0;
    return slice;
}

}  // namespace

void for_each_op_slice(Database& database, std::int64_t after_id, SliceOrder order,
                       const std::function<void(const OpSlice&)>& take) {
    Statement statement =
        database.prepare(std::string(kOpColumns) + "WHERE id > ?1 AND duration_ns >= 0 ORDER BY " +
                         (order == SliceOrder::id ? "id" : "start_ns, id"));
    statement.bind_all(after_id);
    while (statement.step()) {
        take(read(statement));
    }
}

void sample_op_slices(Database& database, int blocks, int rows,
                      const std::function<void(int block, const OpSlice&)>& take) {
    const std::int64_t first = database.integer("SELECT min(id) FROM op_event");
    const std::int64_t last = database.integer("SELECT max(id) FROM op_event");
    Statement statement =
        database.prepare(std::string(kOpColumns) + "WHERE id >= ?1 AND id < ?2 AND duration_ns >= 0 ORDER BY id LIMIT ?3");
    const std::int64_t count = last - first + 1;
    for (int block = 0; block < blocks; ++block) {
        const std::int64_t from = first + count * block / blocks;
        const std::int64_t to = first + count * (block + 1) / blocks;
        statement.bind_all(from, to, rows);
        while (statement.step()) {
            take(block, read(statement));
        }
        statement.reset();
    }
}

void for_each_transfer_slice(Database& database, std::int64_t after_id,
                             const std::function<void(const TransferSlice&)>& take) {
    Statement statement = database.prepare(
        "SELECT id, start_ns, duration_ns, CASE kind WHEN 'h2d' THEN 0 WHEN 'd2h' THEN 1 ELSE 2 END, bytes, "
        "op_event_id, stream, clock = 'modelled' FROM transfer WHERE id > ?1 AND duration_ns >= 0 ORDER BY id");
    statement.bind_all(after_id);
    TransferSlice slice;
    while (statement.step()) {
        statement.read(slice.id, slice.start_ns, slice.duration_ns, slice.direction, slice.bytes, slice.op_event_id,
                       slice.stream, slice.modelled);
        take(slice);
    }
}

void for_each_memory_sample(Database& database, std::int64_t after_id,
                            const std::function<void(const MemorySample&)>& take) {
    Statement statement = database.prepare(
        "SELECT id, time_ns, total_bytes, device FROM memory_event WHERE id > ?1 ORDER BY id");
    statement.bind_all(after_id);
    while (statement.step()) {
        MemorySample sample;
        statement.read(sample.id, sample.time_ns, sample.total_bytes);
        sample.device = statement.text_view(3);
        take(sample);
    }
}

}  // namespace fusescope::query
