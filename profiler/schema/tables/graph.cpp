// The table `graph`.
#include "profiler/schema/rows.hpp"

namespace fusescope {

template <>
const BoundTable<GraphRow>& bound_table() {
    static const BoundTable<GraphRow> table(
        "graph", "One compiled graph.", Since::contract,
        {
            column<GraphRow, &GraphRow::id>("id", "PRIMARY KEY", "Number of the graph."),
            column<GraphRow, &GraphRow::name>("name", "", "The jitted function or Cell, `train_step`."),
            column<GraphRow, &GraphRow::signature>("signature", "",
                                                   "Types and shapes of its inputs: `(Float32[32,1024])`."),
            column<GraphRow, row_id<&GraphRow::frame>>("frame_id", "", "User `frame` that had it compiled."),
            column<GraphRow, &GraphRow::compile_start_ns>("compile_start_ns", "", "When compilation began."),
            column<GraphRow, &GraphRow::compile_ns>("compile_ns", "", "How long it took."),
        });
    return table;
}

const TableDescription* schema_graph() { return &bound_table<GraphRow>().description; }

}  // namespace fusescope
