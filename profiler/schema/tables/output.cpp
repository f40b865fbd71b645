// The table `output`.
#include "profiler/schema/rows.hpp"

namespace fusescope {

template <>
const BoundTable<OutputRow>& bound_table() {
    static const BoundTable<OutputRow> table(
        "output", "What the program wrote.", Since::contract,
        {
            column<OutputRow, &OutputRow::id>("id", "PRIMARY KEY", "Number of the piece."),
            column<OutputRow, &OutputRow::stream>("stream", "", "`stdout` or `stderr`."),
            column<OutputRow, &OutputRow::time_ns>("time_ns", "", "When."),
            column<OutputRow, &OutputRow::text>("text", "", "The text."),
        });
    return table;
}

const TableDescription* schema_output() { return &bound_table<OutputRow>().description; }

}  // namespace fusescope
