// The table `graph_break`.
#include "profiler/schema/rows.hpp"

namespace fusescope {

template <>
const BoundTable<GraphBreakRow>& bound_table() {
    static const BoundTable<GraphBreakRow> table(
        "graph_break", "A graph was left for the interpreter.", Since::contract,
        {
            column<GraphBreakRow, &GraphBreakRow::id>("id", "PRIMARY KEY", "Number of the break."),
            column<GraphBreakRow, row_id<&GraphBreakRow::graph>>("graph_id", "",
                                                                 "Segment that had to run; NULL if unknown."),
            column<GraphBreakRow, row_id<&GraphBreakRow::frame>>("frame_id", "", "User `frame` that needed the value."),
            column<GraphBreakRow, &GraphBreakRow::reason>("reason", "", "Why."),
        });
    return table;
}

const TableDescription* schema_graph_break() { return &bound_table<GraphBreakRow>().description; }

}  // namespace fusescope
