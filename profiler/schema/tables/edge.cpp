// The table `edge`.
#include "profiler/schema/rows.hpp"

namespace fusescope {

template <>
const BoundTable<EdgeRow>& bound_table() {
    static const BoundTable<EdgeRow> table(
        "edge",
        "A value that flows from one node to another. It lives as long as the row of its target, and has its "
        "`stage_id`.",
        Since::contract,
        {
            column<EdgeRow, &EdgeRow::stage>("stage_id", "", "Stage of the target's row."),
            column<EdgeRow, &EdgeRow::source>("source_node", "", "Node that makes the value."),
            column<EdgeRow, &EdgeRow::source_output>("source_output", "", "Which of its outputs, from 0."),
            column<EdgeRow, &EdgeRow::target>("target_node", "", "Node that uses it."),
            column<EdgeRow, &EdgeRow::target_input>("target_input", "", "Which of its inputs, from 0."),
        },
        {{"stage_id", ""}, {"source_node", ""}, {"target_node", ""}});
    return table;
}

const TableDescription* schema_edge() { return &bound_table<EdgeRow>().description; }

}  // namespace fusescope
