// graph.dot: every graph before and after fusion, with Cells as clusters, for Graphviz.
#include <map>

#include "profiler/export/drawn_graph.hpp"
#include "profiler/export/exporter.hpp"
#include "profiler/report/format.hpp"

namespace fusescope {

namespace {

/// A quoted DOT string. Backslashes are doubled, so that no name turns into an escape of Graphviz (\N, \G); a real
/// line break in a name shows as \n.
std::string quoted(std::string_view raw, bool line_breaks = false) {
    std::string text = "\"";
    for (const char c : line_breaks ? report::valid_utf8(raw) : report::printable(raw)) {
        if (c == '"' || c == '\\') text += '\\';
        if (c == '\n') {
            text += "\\n";
            continue;
        }
        text += c;
    }
    return text + "\"";
}

void write_stage(const DrawnStage& stage, const std::string& prefix, Sink& sink) {
    std::map<std::string, std::vector<const query::Node*>> by_scope;
    for (const query::Node& node : stage.graph.nodes) by_scope[scope_label(node.scope)].push_back(&node);
    int cluster = 0;
    for (const auto& [scope, nodes] : by_scope) {
        if (!scope.empty()) {
            sink << "    subgraph " << quoted("cluster_" + prefix + "_" + std::to_string(++cluster))
                 << " {\n      label=" << quoted(scope)
                 << "; style=\"rounded,filled\"; color=\"#c8ccd4\"; fillcolor=\"#f3f5f9\";\n";
        }
        for (const query::Node* node : nodes) {
            std::string label =
                report::printable(is_leaf(*node) ? node->name : node->op);
            const auto members = stage.members.find(node->id);
            if (members != stage.members.end()) label += "\n" + report::printable(member_line(members->second, 6));
            if (!node->shape.empty()) label += "\n" + report::printable(node->dtype + " " + node->shape);
            sink << "      " << quoted(prefix + "_" + std::to_string(node->id)) << " [label=" << quoted(label, true)
                 << ", tooltip=" << quoted(node->name);
            if (is_leaf(*node)) {
                sink << ", shape=ellipse";
            } else if (members != stage.members.end()) {
                sink << ", style=\"filled,bold\", fillcolor=\"#d7e8fa\"";
            }
            sink << "];\n";
        }
        if (!scope.empty()) sink << "    }\n";
    }
    for (const query::Edge& edge : stage.graph.edges) {
        sink << "    " << quoted(prefix + "_" + std::to_string(edge.source)) << " -> "
             << quoted(prefix + "_" + std::to_string(edge.target));
        if (edge.source_output > 0) sink << " [taillabel=\"" << std::to_string(edge.source_output) << "\"]";
        sink << ";\n";
    }
}

void write_graph_dot(Database& database, Sink& sink) {
    sink << "digraph fusescope {\n  node [shape=box, style=filled, fillcolor=white, fontname=\"sans-serif\", "
            "fontsize=10];\n  graph [fontname=\"sans-serif\", fontsize=12, rankdir=TB];\n";
    for (const DrawnGraph& drawn : drawn_graphs(database)) {
        int number = 0;
        for (const DrawnStage& stage : drawn.stages) {
            const std::string prefix = "g" + std::to_string(drawn.graph.id) + "_" + std::to_string(number++);
            sink << "  subgraph " << quoted("cluster_" + prefix)
                 << " {\n    label=" << quoted(drawn.graph.name + " " + stage.title) << ";\n";
            write_stage(stage, prefix, sink);
            sink << "  }\n";
        }
    }
    sink << "}\n";
}

}  // namespace

Exporter exporter_graph_dot() {
    return {"graph.dot", "every graph before and after fusion, for Graphviz", write_graph_dot};
}

}  // namespace fusescope
