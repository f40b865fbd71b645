// The table `finding`.
#include "profiler/schema/rows.hpp"

namespace fusescope {

template <>
const BoundTable<FindingRow>& bound_table() {
    static const BoundTable<FindingRow> table(
        "finding", "Something that the user should know about.", Since::contract,
        {
            column<FindingRow, &FindingRow::id>("id", "PRIMARY KEY", "Number of the finding."),
            column<FindingRow, &FindingRow::kind>(
                "kind", "",
                "`nan`, `inf`, `overflow`, `underflow`, `shape`, `dtype`, `index`, `broadcast`, `graph_break`, "
                "`recompile`, `side_effect`, `fallback`, `transfer`, `divergence` or `suspicious`."),
            column<FindingRow, &FindingRow::severity>("severity", "", "`info`, `warning` or `error`."),
            column<FindingRow, row_id<&FindingRow::op_event>>("op_event_id", "",
                                                              "`op_event` it is about; NULL when it is about no op."),
            column<FindingRow, row_id<&FindingRow::frame>>("frame_id", "",
                                                           "User `frame`; for a backward op that of the forward line."),
            column<FindingRow, &FindingRow::message>("message", "", "Whole sentence, in English."),
            column<FindingRow, &FindingRow::detail>(
                "detail", "",
                "JSON object: `op`, `file`, `line`, `phase`, `rule`, and where they apply `step`, `index`, `count`, "
                "`inputs`, `shapes`, `root`, `advice`, `arguments`."),
        },
        {{"op_event_id", "op_event_id IS NOT NULL"}, {"frame_id", ""}});
    return table;
}

const TableDescription* schema_finding() { return &bound_table<FindingRow>().description; }

}  // namespace fusescope
