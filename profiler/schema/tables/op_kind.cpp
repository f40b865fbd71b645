// The table `op_kind`.
#include "profiler/schema/rows.hpp"

namespace fusescope {

template <>
const BoundTable<KindRow>& bound_table() {
    static const BoundTable<KindRow> table(
        "op_kind", "Names of ops and fused kernels.", Since::contract,
        {
            column<KindRow, &KindRow::id>("id", "PRIMARY KEY", "Number of the kind."),
            column<KindRow, &KindRow::name>("name", "",
                                            "MindSpore's name of the op, `MatMul`, or the name of a fused kernel."),
        });
    return table;
}

const TableDescription* schema_op_kind() { return &bound_table<KindRow>().description; }

}  // namespace fusescope
