// The table `drop_record`.
#include "profiler/schema/rows.hpp"

namespace fusescope {

template <>
const BoundTable<DropRow>& bound_table() {
    static const BoundTable<DropRow> table(
        "drop_record", "Nodes that a pass removed without a successor.", Since::extension,
        {
            column<DropRow, &DropRow::stage>("stage_id", "", "Stage that the pass made.", Since::extension),
            column<DropRow, &DropRow::node>("node_id", "", "Node of the stage before.", Since::extension),
            column<DropRow, &DropRow::reason>("reason", "", "Why it could go: `dead`, `constant folded into %3`.",
                                              Since::extension),
        },
        {{"stage_id", ""}, {"node_id", ""}});
    return table;
}

const TableDescription* schema_drop_record() { return &bound_table<DropRow>().description; }

}  // namespace fusescope
