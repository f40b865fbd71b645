// graph.svg: every graph before and after fusion side by side, laid out by our own layers.
#include <algorithm>
#include <map>

#include "profiler/export/drawn_graph.hpp"
#include "profiler/export/exporter.hpp"
#include "profiler/export/layout.hpp"
#include "profiler/report/format.hpp"

namespace fusescope {

namespace {

constexpr double kMargin = 24, kTitleHeight = 26, kColumnGap = 60, kLineHeight = 14;

std::string xml(std::string_view raw) {
    std::string text;
    for (const char c : report::printable(raw)) {
        switch (c) {
            case '&':
                text += "&amp;";
                break;
            case '<':
                text += "&lt;";
                break;
            case '>':
                text += "&gt;";
                break;
            case '"':
                text += "&quot;";
                break;
            default:
                text += c;
        }
    }
    return text;
}

std::string number(double value) { return report::fixed(value, 1); }

// Light tints of a colour-blind-safe palette (Okabe and Ito), one a scope in order of appearance.
constexpr const char* kTints[] = {"#d6e9f8", "#fbe7c6", "#cfeee1", "#f8dbe9",
                                  "#faf3bf", "#dfe0f5", "#f6d9c9", "#e3ead1"};

struct Box {
    const query::Node* node;
    std::vector<std::string> lines;
    bool fused;
};

struct Panel {
    std::string title;
    std::vector<Box> boxes;
    layout::Drawing drawing;
};

Panel make_panel(const DrawnStage& stage) {
    Panel panel;
    std::unordered_map<std::int64_t, std::size_t> index;
    std::int64_t ops = 0;
    for (const query::Node& node : stage.graph.nodes) {
        Box box{&node, {}, false};
        ops += is_leaf(node) || node.op == "Return" ? 0 : 1;
        box.lines.push_back(report::fit_width(report::printable(is_leaf(node) ? node.name : node.op), 30));
        const auto members = stage.members.find(node.id);
        if (members != stage.members.end()) {
            box.fused = true;
            for (std::size_t i = 0; i < members->second.size(); i += 4) {
                if (i >= 12) {
                    box.lines.push_back("… " + std::to_string(members->second.size()) + " in all");
                    break;
                }
                std::string line;
                for (std::size_t k = i; k < std::min(i + 4, members->second.size()); ++k) {
                    line += (k > i ? " · " : "") + members->second[k];
                }
                box.lines.push_back(report::fit_width(report::printable(line), 44));
            }
        }
        if (!node.shape.empty()) {
            box.lines.push_back(report::fit_width(report::printable(node.dtype + " " + node.shape), 34));
        }
        double width = 7.4 * report::display_width(box.lines[0]);  // bold
        for (const std::string& line : box.lines) width = std::max(width, 6.2 * report::display_width(line));
        index[node.id] = panel.boxes.size();
        panel.drawing.nodes.push_back(
            {std::max(52.0, width + 16), kLineHeight * static_cast<double>(box.lines.size()) + 10});
        panel.boxes.push_back(std::move(box));
    }
    panel.title = stage.title + ": " + std::to_string(ops) + (ops == 1 ? " op" : " ops");
    for (const query::Edge& edge : stage.graph.edges) {
        const auto from = index.find(edge.source), to = index.find(edge.target);
        if (from != index.end() && to != index.end()) panel.drawing.edges.push_back({from->second, to->second, {}});
    }
    layout::arrange(panel.drawing);
    return panel;
}

/// Vertical where it leaves and arrives, a soft S between.
std::string path_of(const std::vector<layout::Point>& points) {
    std::string path = "M" + number(points[0].x) + " " + number(points[0].y);
    for (std::size_t i = 1; i < points.size(); ++i) {
        const layout::Point &a = points[i - 1], &b = points[i];
        if (a.x == b.x) {
            path += "V" + number(b.y);
        } else {
            const double middle = (a.y + b.y) / 2;
            path += "C" + number(a.x) + " " + number(middle) + " " + number(b.x) + " " + number(middle) + " " +
                    number(b.x) + " " + number(b.y);
        }
    }
    return path;
}

std::string tooltip(const query::Node& node) {
    std::string text = node.name + " = " + node.op;
    if (!node.shape.empty()) text += ", " + node.dtype + " " + node.shape;
    if (!node.path.empty()) text += ", " + report::base_name(node.path) + ":" + std::to_string(node.line);
    if (!node.scope.empty()) text += ", " + node.scope;
    if (node.bytes > 0) text += ", " + report::format_bytes(static_cast<std::uint64_t>(node.bytes)) + " traffic";
    return text;
}

void write_panel(const Panel& panel, double left, double top, const std::map<std::string, std::size_t>& tints,
                 Sink& sink) {
    sink << "<g transform=\"translate(" << number(left) << " " << number(top) << ")\">\n<text class=\"h\" y=\"14\">"
         << xml(panel.title) << "</text>\n<g transform=\"translate(0 " << number(kTitleHeight) << ")\">\n";
    for (const layout::Edge& edge : panel.drawing.edges) {
        sink << "<path class=\"e\" d=\"" << path_of(edge.points) << "\" marker-end=\"url(#arrow)\"/>\n";
    }
    for (std::size_t i = 0; i < panel.boxes.size(); ++i) {
        const Box& box = panel.boxes[i];
        const layout::Node& at = panel.drawing.nodes[i];
        const auto tint = tints.find(scope_label(box.node->scope));
        const bool leaf = is_leaf(*box.node) || box.node->op == "Return";
        sink << "<g><title>" << xml(tooltip(*box.node)) << "</title><rect class=\""
             << (box.fused ? "f"
                 : leaf    ? "l"
                           : "n")
             << "\" x=\"" << number(at.x - at.width / 2) << "\" y=\"" << number(at.y - at.height / 2) << "\" width=\""
             << number(at.width) << "\" height=\"" << number(at.height) << "\" rx=\"" << (leaf ? "10" : "4") << "\"";
        if (tint != tints.end() && !leaf) {
            sink << " style=\"fill:" << kTints[tint->second % std::size(kTints)] << "\"";
        }
        sink << "/>";
        double y = at.y - at.height / 2 + 5;
        for (std::size_t line = 0; line < box.lines.size(); ++line) {
            y += kLineHeight;
            sink << "<text class=\"" << (line == 0 ? "b" : "s") << "\" x=\"" << number(at.x) << "\" y=\""
                 << number(y - 3.5) << "\">" << xml(box.lines[line]) << "</text>";
        }
        sink << "</g>\n";
    }
    sink << "</g></g>\n";
}

void write_graph_svg(Database& database, Sink& sink) {
    const std::vector<DrawnGraph> graphs = drawn_graphs(database);
    std::map<std::string, std::size_t> tints;
    std::vector<std::vector<Panel>> rows;
    double width = 360, height = kMargin;
    for (const DrawnGraph& drawn : graphs) {
        std::vector<Panel> row;
        double row_width = 2 * kMargin, row_height = 0;
        for (const DrawnStage& stage : drawn.stages) {
            for (const query::Node& node : stage.graph.nodes) {
                const std::string label = scope_label(node.scope);
                if (!label.empty() && !is_leaf(node)) tints.try_emplace(label, tints.size());
            }
            row.push_back(make_panel(stage));
            row_width += row.back().drawing.width + (row.size() > 1 ? kColumnGap : 0);
            row_height = std::max(row_height, row.back().drawing.height);
        }
        width = std::max(width, row_width);
        height += 2 * kTitleHeight + row_height + kMargin;
        rows.push_back(std::move(row));
    }
    const double legend = tints.empty() ? 0 : 18.0 * static_cast<double>(std::min<std::size_t>(tints.size(), 24)) + 10;
    height = std::max(height + legend, 80.0);
    sink << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << number(width) << "\" height=\"" << number(height)
         << "\" viewBox=\"0 0 " << number(width) << " " << number(height)
         << "\" font-family=\"'DejaVu Sans','Noto Sans','Noto Sans CJK SC',sans-serif\">\n<style>"
            "text{font-size:11px;fill:#1c1e24}.h{font-size:13px;fill:#4a4f59}.g{font-size:16px;font-weight:600}"
            ".b,.s{text-anchor:middle}.b{font-weight:600}.s{fill:#4a4f59;font-size:10px}"
            "rect{stroke:#8a909c}.n{fill:#fff}.l{fill:#f2f3f6;stroke:#b9bec8}.f{fill:#fff;stroke:#1f5f9e;stroke-width:"
            "2.2}"
            ".e{fill:none;stroke:#7b818c;stroke-width:1.1}</style>\n"
            "<defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"7.5\" refY=\"4\" markerWidth=\"6\" "
            "markerHeight=\"6\" "
            "orient=\"auto\"><path d=\"M0 0.8L8 4L0 7.2z\" fill=\"#7b818c\"/></marker></defs>\n"
            "<rect width=\"100%\" height=\"100%\" style=\"fill:#fff;stroke:none\"/>\n";
    double top = kMargin;
    if (rows.empty()) sink << "<text x=\"24\" y=\"40\">No graph was compiled in this run.</text>\n";
    for (std::size_t r = 0; r < rows.size(); ++r) {
        sink << "<text class=\"g\" x=\"" << number(kMargin) << "\" y=\"" << number(top + 16) << "\">"
             << xml(graphs[r].graph.name) << " <tspan class=\"s\" text-anchor=\"start\">"
             << xml(report::fit_width(graphs[r].graph.signature, 120)) << "</tspan></text>\n";
        double left = kMargin, row_height = 0;
        for (const Panel& panel : rows[r]) {
            write_panel(panel, left, top + kTitleHeight, tints, sink);
            left += panel.drawing.width + kColumnGap;
            row_height = std::max(row_height, panel.drawing.height);
        }
        top += 2 * kTitleHeight + row_height + kMargin;
    }
    std::vector<std::pair<std::size_t, std::string>> legend_rows;
    for (const auto& [label, tint] : tints) legend_rows.emplace_back(tint, label);
    std::sort(legend_rows.begin(), legend_rows.end());
    for (const auto& [tint, label] : legend_rows) {
        if (tint >= 24) break;
        sink << "<rect x=\"" << number(kMargin) << "\" y=\"" << number(top)
             << "\" width=\"12\" height=\"12\" style=\"fill:" << kTints[tint % std::size(kTints)] << "\"/><text x=\""
             << number(kMargin + 18) << "\" y=\"" << number(top + 10) << "\">" << xml(label) << "</text>\n";
        top += 18;
    }
    sink << "</svg>\n";
}

}  // namespace

Exporter exporter_graph_svg() {
    return {"graph.svg", "a drawing of every graph before and after fusion", write_graph_svg};
}

}  // namespace fusescope
