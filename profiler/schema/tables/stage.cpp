// The table `stage`.
#include "profiler/schema/rows.hpp"

namespace fusescope {

template <>
const BoundTable<StageRow>& bound_table() {
    static const BoundTable<StageRow> table(
        "stage", "A graph after one pass. Ordinal 0 is the graph as captured, the largest is the graph that ran.",
        Since::contract,
        {
            column<StageRow, &StageRow::id>("id", "PRIMARY KEY", "Number of the stage."),
            column<StageRow, &StageRow::graph>("graph_id", "", "The `graph`."),
            column<StageRow, &StageRow::ordinal>("ordinal", "", "Place in the pipeline, from 0."),
            column<StageRow, &StageRow::pass>("pass", "", "Pass that made it; `capture` for ordinal 0."),
            column<StageRow, &StageRow::duration_ns>("duration_ns", "", "Time the pass took."),
            column<StageRow, &StageRow::changed>(
                "changed", "", "0 when the pass changed nothing: then only the last stage has rows of its own."),
            column<StageRow, &StageRow::text>(
                "text", "", "The graph as text in MindSpore's manner; empty when unchanged, but for the last stage."),
            column<StageRow, &StageRow::rewrites>("rewrites", "", "How many rewrites the pass made.", Since::extension),
            column<StageRow, &StageRow::note>(
                "note", "", "What the pass says about itself, for example by how much it may change rounding.",
                Since::extension),
            column<StageRow, &StageRow::nodes>(
                "nodes", "", "Number of nodes of the graph at this stage, with those in regions.", Since::extension),
            column<StageRow, &StageRow::edges>("edges", "", "Number of edges at this stage.", Since::extension),
            column<StageRow, &StageRow::peak_bytes>(
                "peak_bytes", "", "Planned peak of memory; NULL when there is no plan yet.", Since::extension),
        },
        {{"graph_id, ordinal", ""}});
    return table;
}

const TableDescription* schema_stage() { return &bound_table<StageRow>().description; }

}  // namespace fusescope
