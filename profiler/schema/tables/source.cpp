// The table `source`.
#include "profiler/schema/rows.hpp"

namespace fusescope {

template <>
const BoundTable<SourceRow>& bound_table() {
    static const BoundTable<SourceRow> table(
        "source", "Source files that frames lie in, as they were when the run used them.", Since::contract,
        {
            column<SourceRow, &SourceRow::id>("id", "PRIMARY KEY", "Number of the file."),
            column<SourceRow, &SourceRow::path>("path", "", "Path as the program knew it."),
            column<SourceRow, &SourceRow::text>("text", "", "Whole text; NULL when it could not be kept."),
            column<SourceRow, &SourceRow::note>("note", "", "Why the text is missing, else empty.", Since::extension),
        });
    return table;
}

const TableDescription* schema_source() { return &bound_table<SourceRow>().description; }

}  // namespace fusescope
