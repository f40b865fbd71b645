// The table `memory_event`.
#include "profiler/schema/rows.hpp"

namespace fusescope {

template <>
const BoundTable<MemoryRow>& bound_table() {
    static const BoundTable<MemoryRow> table(
        "memory_event", "Memory taken from or given back to a device's allocator.", Since::contract,
        {
            column<MemoryRow, &MemoryRow::id>("id", "PRIMARY KEY", "Number of the event."),
            column<MemoryRow, &MemoryRow::device>("device", "", "`cpu`, `ascend` or `ascend-model`."),
            column<MemoryRow, &MemoryRow::time_ns>("time_ns", "", "When."),
            column<MemoryRow, &MemoryRow::delta_bytes>("delta_bytes", "", "Bytes taken; negative when given back."),
            column<MemoryRow, &MemoryRow::total_bytes>("total_bytes", "", "Live bytes on the device after it."),
            column<MemoryRow, row_id<&MemoryRow::op_event>>("op_event_id", "",
                                                            "`op_event` that was running; NULL when none was."),
        },
        {{"time_ns", ""}});
    return table;
}

const TableDescription* schema_memory_event() { return &bound_table<MemoryRow>().description; }

}  // namespace fusescope
