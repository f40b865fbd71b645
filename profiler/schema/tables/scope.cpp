// The table `scope`.
#include "profiler/schema/rows.hpp"

namespace fusescope {

template <>
const BoundTable<ScopeRow>& bound_table() {
    static const BoundTable<ScopeRow> table(
        "scope", "Paths of nested Cells.", Since::extension,
        {
            column<ScopeRow, &ScopeRow::id>("id", "PRIMARY KEY", "Number of the scope.", Since::extension),
            column<ScopeRow, &ScopeRow::path>(
                "path", "", "Names from the outermost on, joined with `/`: `Default/fc-Dense`.", Since::extension),
        });
    return table;
}

const TableDescription* schema_scope() { return &bound_table<ScopeRow>().description; }

}  // namespace fusescope
