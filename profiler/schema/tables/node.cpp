// The table `node`.
#include "profiler/schema/rows.hpp"

namespace fusescope {

template <>
const BoundTable<NodeRow>& bound_table() {
    static const BoundTable<NodeRow> table(
        "node",
        "A node of a graph. Stage 0 and the last stage of each graph have all their nodes with their own `stage_id`. "
        "In between a node that a pass left alone has no further row: it lives from the ordinal of its stage to "
        "`last_ordinal`, so the nodes of any stage k are those whose life covers k. `op_event.node_id` names rows of "
        "the last stage. Ids from 2^52 are earlier lives of nodes whose own id belongs to their row in the last stage.",
        Since::contract,
        {
            column<NodeRow, &NodeRow::id>("id", "PRIMARY KEY", "Number of the node."),
            column<NodeRow, &NodeRow::stage>("stage_id", "", "First `stage` that has it."),
            column<NodeRow, &NodeRow::name>("name", "", "Unique name in the stage: `CNode_3`, or a parameter's name."),
            column<NodeRow, &NodeRow::op>("op", "",
                                          "Op; `Parameter` and `Constant` for leaves, `Return` for the sink."),
            column<NodeRow, &NodeRow::attributes>("attributes", "", "Attributes, a JSON object."),
            column<NodeRow, &NodeRow::dtype>("dtype", "", "Element type; several outputs are joined with `;`."),
            column<NodeRow, &NodeRow::shape>("shape", "", "`(2, 3)`; several outputs are joined with `;`."),
            column<NodeRow, &NodeRow::scope>("scope", "", "Path of the Cell it came from."),
            column<NodeRow, row_id<&NodeRow::frame>>("frame_id", "", "User `frame` it came from."),
            column<NodeRow, &NodeRow::flops>("flops", "", "Floating-point operations of one run."),
            column<NodeRow, &NodeRow::bytes>("bytes", "", "Memory traffic of one run: bytes read plus bytes written."),
            column<NodeRow, row_id<&NodeRow::parent>>(
                "parent_id", "", "Node whose region (branch, loop body, fused body) holds it; NULL at the top level.",
                Since::extension),
            column<NodeRow, &NodeRow::last_ordinal>(
                "last_ordinal", "", "Ordinal of the last stage that this row stands for.", Since::extension),
            column<NodeRow, &NodeRow::position>(
                "position", "", "Place among the nodes of its stage, in the order of the graph.", Since::extension),
            column<NodeRow, &NodeRow::phase>("phase", "", "`forward`, `backward`, `optimizer` or `input`.",
                                             Since::extension),
        },
        {{"stage_id", ""}, {"frame_id", ""}, {"parent_id", "parent_id IS NOT NULL"}});
    return table;
}

const TableDescription* schema_node() { return &bound_table<NodeRow>().description; }

}  // namespace fusescope
