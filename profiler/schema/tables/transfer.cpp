// The table `transfer`.
#include "profiler/schema/rows.hpp"

namespace fusescope {

template <>
const BoundTable<TransferRow>& bound_table() {
    static const BoundTable<TransferRow> table(
        "transfer", "One copy between memories.", Since::contract,
        {
            column<TransferRow, &TransferRow::id>("id", "PRIMARY KEY", "Number of the transfer."),
            column<TransferRow, &TransferRow::run>("run_id", "", "The `run`."),
            column<TransferRow, &TransferRow::kind>("kind", "", "`h2d` (host to device), `d2h` or `d2d`."),
            column<TransferRow, &TransferRow::bytes>("bytes", "", "Bytes copied."),
            column<TransferRow, &TransferRow::start_ns>("start_ns", "", "Time at which it began."),
            column<TransferRow, &TransferRow::duration_ns>("duration_ns", "", "Time it took, by `clock`."),
            column<TransferRow, &TransferRow::clock>("clock", "", "`measured` or `modelled`."),
            column<TransferRow, &TransferRow::pinned>("pinned", "", "1 when the host side was page-locked memory."),
            column<TransferRow, &TransferRow::reason>(
                "reason", "", "`input`, `parameter`, `read_back`, `print`, `graph_break` or `fallback`."),
            column<TransferRow, row_id<&TransferRow::frame>>("frame_id", "", "User `frame` that caused it."),
            column<TransferRow, row_id<&TransferRow::op_event>>("op_event_id", "",
                                                                "`op_event` that needed it; NULL when none did."),
            column<TransferRow, &TransferRow::stream>("stream", "", "Stream of the device it ran on.",
                                                      Since::extension),
        },
        {{"start_ns", ""}, {"frame_id", ""}, {"op_event_id", "op_event_id IS NOT NULL"}});
    return table;
}

const TableDescription* schema_transfer() { return &bound_table<TransferRow>().description; }

}  // namespace fusescope
