// The table `kernel_code`.
#include "profiler/schema/rows.hpp"

namespace fusescope {

template <>
const BoundTable<KernelCodeRow>& bound_table() {
    static const BoundTable<KernelCodeRow> table(
        "kernel_code", "Generated code; kernels that compute the same share a row.", Since::extension,
        {
            column<KernelCodeRow, &KernelCodeRow::id>("id", "PRIMARY KEY", "Number of the text.", Since::extension),
            column<KernelCodeRow, &KernelCodeRow::form>("form", "", "`llvm` (IR) or `asm`.", Since::extension),
            column<KernelCodeRow, &KernelCodeRow::text>("text", "", "The code.", Since::extension),
        });
    return table;
}

const TableDescription* schema_kernel_code() { return &bound_table<KernelCodeRow>().description; }

}  // namespace fusescope
