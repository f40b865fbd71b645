// The table `origin`.
#include "profiler/schema/rows.hpp"

namespace fusescope {

template <>
const BoundTable<OriginRow>& bound_table() {
    static const BoundTable<OriginRow> table(
        "origin",
        "Where a node came from: rows lead from the last stage down to stage 0, step by step. A node without rows is "
        "in stage 0 or was left alone since its own stage.",
        Since::contract,
        {
            column<OriginRow, &OriginRow::node>("node_id", "", "The node."),
            column<OriginRow, &OriginRow::from>("from_node_id", "", "A node of an earlier stage that it came from."),
        },
        {{"node_id", ""}, {"from_node_id", ""}});
    return table;
}

const TableDescription* schema_origin() { return &bound_table<OriginRow>().description; }

}  // namespace fusescope
