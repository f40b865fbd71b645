// The table `frame`.
#include "profiler/schema/rows.hpp"

namespace fusescope {

template <>
const BoundTable<FrameRow>& bound_table() {
    static const BoundTable<FrameRow> table(
        "frame", "Call stacks: the innermost user frame, with its callers through `parent_id`.", Since::contract,
        {
            column<FrameRow, &FrameRow::id>("id", "PRIMARY KEY", "Number of the frame."),
            column<FrameRow, row_id<&FrameRow::parent>>("parent_id", "", "Frame of the caller; NULL at the outermost."),
            column<FrameRow, row_id<&FrameRow::source>>("source_id", "", "`source` that the code lies in."),
            column<FrameRow, &FrameRow::line>("line", "", "Line, from 1."),
            column<FrameRow, &FrameRow::function>("function", "", "Name of the function."),
        },
        {{"source_id, line", ""}});
    return table;
}

const TableDescription* schema_frame() { return &bound_table<FrameRow>().description; }

}  // namespace fusescope
