// The table `kernel`.
#include "profiler/schema/rows.hpp"

namespace fusescope {

template <>
const BoundTable<KernelRow>& bound_table() {
    static const BoundTable<KernelRow> table(
        "kernel", "What the fused nodes of the graph that ran were compiled to.", Since::extension,
        {
            column<KernelRow, &KernelRow::node>("node_id", "", "The fused `node`.", Since::extension),
            column<KernelRow, &KernelRow::code>("code_id", "", "A `kernel_code`; one row for each form.",
                                                Since::extension),
        },
        {{"node_id", ""}});
    return table;
}

const TableDescription* schema_kernel() { return &bound_table<KernelRow>().description; }

}  // namespace fusescope
