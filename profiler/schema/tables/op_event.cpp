// The table `op_event`.
#include "profiler/schema/rows.hpp"

namespace fusescope {

template <>
const BoundTable<OpEventRow>& bound_table() {
    static const BoundTable<OpEventRow> table(
        "op_event", "One execution of one op or of one fused kernel.", Since::contract,
        {
            column<OpEventRow, &OpEventRow::id>("id", "PRIMARY KEY", "Number of the event, from 1, in order of issue."),
            column<OpEventRow, &OpEventRow::run>("run_id", "", "The `run`."),
            column<OpEventRow, &OpEventRow::step>("step", "",
                                                  "Training step: how many times an optimizer had run before."),
            column<OpEventRow, row_id<&OpEventRow::kind>>("kind_id", "", "Which op: `op_kind`."),
            column<OpEventRow, row_id<&OpEventRow::node>>("node_id", "",
                                                          "`node` of the graph that ran; NULL when eager."),
            column<OpEventRow, row_id<&OpEventRow::frame>>("frame_id", "", "Innermost user `frame` that issued it."),
            column<OpEventRow, &OpEventRow::mode>("mode", "", "`eager` or `graph`."),
            column<OpEventRow, &OpEventRow::device>("device", "", "`cpu`, `ascend` or `ascend-model`."),
            column<OpEventRow, &OpEventRow::stream>("stream", "", "Stream of the device it ran on."),
            column<OpEventRow, &OpEventRow::launch_ns>("launch_ns", "", "Host time at which it was issued."),
            column<OpEventRow, &OpEventRow::start_ns>("start_ns", "", "Time at which it began on the device."),
            column<OpEventRow, &OpEventRow::duration_ns>("duration_ns", "", "Time it took on the device, by `clock`."),
            column<OpEventRow, &OpEventRow::clock>("clock", "",
                                                   "`measured` or `modelled`: never to be added up together."),
            column<OpEventRow, &OpEventRow::bytes_read>("bytes_read", "", "Bytes read from memory."),
            column<OpEventRow, &OpEventRow::bytes_written>("bytes_written", "", "Bytes written to memory."),
            column<OpEventRow, &OpEventRow::flops>("flops", "", "Floating-point operations."),
            column<OpEventRow, row_id<&OpEventRow::scope>>("scope_id", "", "`scope` of the Cell that issued it.",
                                                           Since::extension),
            column<OpEventRow, &OpEventRow::thread>("thread", "", "Small number of the host thread that issued it.",
                                                    Since::extension),
            column<OpEventRow, &OpEventRow::phase>("phase", "", "`forward`, `backward`, `optimizer` or `input`.",
                                                   Since::extension),
        },
        {{"start_ns", ""}, {"node_id, start_ns", "node_id IS NOT NULL"}, {"frame_id", ""}});
    return table;
}

const TableDescription* schema_op_event() { return &bound_table<OpEventRow>().description; }

}  // namespace fusescope
