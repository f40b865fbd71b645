// The table `meta`.
#include "profiler/schema/rows.hpp"

namespace fusescope {

template <>
const BoundTable<MetaRow>& bound_table() {
    static const BoundTable<MetaRow> table(
        "meta", "Facts about the file: who wrote it, how much was left out and why.", Since::contract,
        {
            column<MetaRow, &MetaRow::key>(
                "key", "PRIMARY KEY",
                "Name of the fact, for example `version`, `dropped_events`, `values_skipped`, `ignored_rows`."),
            column<MetaRow, &MetaRow::value>("value", "", "Its value as text."),
        });
    return table;
}

const TableDescription* schema_meta() { return &bound_table<MetaRow>().description; }

}  // namespace fusescope
