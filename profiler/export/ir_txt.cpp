// ir.txt: the text of every graph at every stage that changed it.
#include "profiler/export/exporter.hpp"
#include "profiler/query/graphs.hpp"
#include "profiler/report/format.hpp"

namespace fusescope {

namespace {

/// What goes into a comment line must not end it.
std::string word(std::string_view text) { return report::printable(text); }

void write_ir_txt(Database& database, Sink& sink) {
    for (const query::Graph& graph : query::graphs(database)) {
        sink << "# graph " << std::to_string(graph.id) << ": " << word(graph.name) << word(graph.signature) << "\n";
        if (!graph.path.empty()) {
            sink << "# compiled at " << word(graph.path) << ":" << std::to_string(graph.line) << " in "
                 << report::format_duration(graph.compile_ns) << "\n";
        }
        for (const query::Stage& stage : query::stages(database, graph.id)) {
            sink << "\n# stage " << std::to_string(stage.ordinal) << ": " << word(stage.pass);
            if (!stage.changed && stage.ordinal > 0) {
                sink << ", changed nothing\n";
                continue;
            }
            if (stage.ordinal > 0) {
                sink << ", " << std::to_string(stage.rewrites) << (stage.rewrites == 1 ? " rewrite, " : " rewrites, ")
                     << report::format_duration(stage.duration_ns);
            }
            sink << "\n";
            if (!stage.note.empty()) sink << "# " << word(stage.note) << "\n";
            const std::string text = report::valid_utf8(query::stage_text(database, stage.id));
            sink << text;
            if (!text.empty() && text.back() != '\n') sink << "\n";
        }
        sink << "\n";
    }
}

}  // namespace

Exporter exporter_ir_txt() {
    return {"ir.txt", "the text of every graph after each pass that changed it", write_ir_txt};
}

}  // namespace fusescope
