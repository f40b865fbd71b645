#include "gui/graph/graph_export.hpp"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>
#include <QTextStream>
#include <cmath>
#include <memory>

#include "gui/app/theme.hpp"
#include "gui/graph/graph_scene.hpp"

namespace fusescope::gui {

namespace {

constexpr double kMostPixels = 60e6;
constexpr double kMargin = 16;

struct GraphExportWords {
    Q_DECLARE_TR_FUNCTIONS(GraphExportWords)
};

QRectF areaOf(const GraphScene& scene) {
    return scene.bounds().adjusted(-kMargin - kPortRoom, -kMargin, kMargin + kPortRoom, kMargin);
}

void draw(GraphScene& scene, QPainter& painter, const QRectF& target) {
    scene.finishAnimation();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(target, theme().background);
    scene.render(&painter, target, areaOf(scene));
}

QString quoted(QString text) {
    text.replace('\\', QStringLiteral("\\\\"))
        .replace('"', QStringLiteral("\\\""))
        .replace('\n', QStringLiteral("\\n"));
    return '"' + text + '"';
}

void writeLevel(QTextStream& out, const VisibleGraph& graph, const QVector<QVector<int>>& children, int parent,
                const QString& indent) {
    for (const int i : children[parent + 1]) {
        const VisibleBox& box = graph.boxes[i];
        const QString label = box.subtitle.isEmpty() ? box.title : box.title + '\n' + box.subtitle;
        if (!box.expanded) {
            out << indent << 'n' << i << " [label=" << quoted(label) << (box.leaf ? ", shape=oval" : "")
                << (box.expandable ? ", peripheries=2" : "") << "];\n";
            continue;
        }
        out << indent << "subgraph cluster_" << i << " {\n" << indent << "  label=" << quoted(box.title) << ";\n";
        writeLevel(out, graph, children, i, indent + QStringLiteral("  "));
        out << indent << "}\n";
    }
}

// A node to stand for a frame, which Graphviz cannot join edges to.
int innerOf(const QVector<QVector<int>>& children, const VisibleGraph& graph, int box) {
    while (graph.boxes[box].expanded) {
        box = children[box + 1].front();
    }
    return box;
}

}  // namespace

QImage graphImage(GraphScene& scene, double scale) {
    const QSizeF size = areaOf(scene).size();
    const double pixels = size.width() * size.height() * scale * scale;
    if (pixels > kMostPixels) {
        scale *= std::sqrt(kMostPixels / pixels);
    }
    QImage image((size * scale).toSize().expandedTo({1, 1}), QImage::Format_ARGB32_Premultiplied);
    image.fill(theme().background);
    QPainter painter(&image);
    draw(scene, painter, QRectF(QPointF(0, 0), QSizeF(image.size())));
    return image;
}

QString graphDot(const GraphScene& scene) {
    const VisibleGraph& graph = scene.visible();
    QVector<QVector<int>> children(graph.boxes.size() + 1);
    for (int i = 0; i < graph.boxes.size(); ++i) {
        children[graph.boxes[i].parent + 1].push_back(i);
    }
    QString text;
    QTextStream out(&text);
    out << "digraph {\n  rankdir=TB;\n  compound=true;\n  node [shape=box, fontname=\"sans-serif\"];\n";
    writeLevel(out, graph, children, -1, QStringLiteral("  "));
    for (const auto* list : {&graph.edges, &graph.links}) {
        for (const VisibleEdge& edge : *list) {
            const bool link = list == &graph.links;
            const int source = innerOf(children, graph, edge.source), target = innerOf(children, graph, edge.target);
            out << "  n" << source << " -> n" << target << " [label=" << quoted(edgeText(edge));
            if (source != edge.source) {
                out << ", ltail=cluster_" << edge.source;
            }
            if (target != edge.target) {
                out << ", lhead=cluster_" << edge.target;
            }
            out << (link ? ", style=dashed, constraint=false" : "") << "];\n";
        }
    }
    out << "}\n";
    return text;
}

GraphFormat formatOf(const QString& path) {
    const QString ending = QFileInfo(path).suffix().toLower();
    return ending == QLatin1String("svg")                                    ? GraphFormat::Svg
           : ending == QLatin1String("pdf")                                  ? GraphFormat::Pdf
           : ending == QLatin1String("dot") || ending == QLatin1String("gv") ? GraphFormat::Dot
                                                                             : GraphFormat::Png;
}

QString exportGraph(GraphScene& scene, const QString& path, GraphFormat format) {
    if (scene.isEmpty()) {
        return GraphExportWords::tr("There is no graph to save.");
    }
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)) {
        return GraphExportWords::tr("%1 cannot be written: %2").arg(path, file.errorString());
    }
    const QSizeF size = areaOf(scene).size();
    switch (format) {
        case GraphFormat::Dot:
            file.write(graphDot(scene).toUtf8());
            break;
        case GraphFormat::Png:
            if (!graphImage(scene).save(&file, "PNG")) {
                return GraphExportWords::tr("%1 cannot be written as PNG").arg(path);
            }
            break;
        case GraphFormat::Svg: {
            QSvgGenerator svg;
            svg.setOutputDevice(&file);
            svg.setSize(size.toSize());
            svg.setViewBox(QRectF(QPointF(0, 0), size));
            svg.setTitle(QStringLiteral("fusescope"));
            QPainter painter(&svg);
            draw(scene, painter, QRectF(QPointF(0, 0), size));
            break;
        }
        case GraphFormat::Pdf: {
            QPdfWriter pdf(&file);
            pdf.setResolution(72);
            // A page may not be larger than 200 inches in most viewers.
            const double scale = std::min(1.0, 14000 / std::max(size.width(), size.height()));
            pdf.setPageSize(QPageSize(size * scale, QPageSize::Point));
            pdf.setPageMargins(QMarginsF(0, 0, 0, 0));
            QPainter painter(&pdf);
            draw(scene, painter, QRectF(QPointF(0, 0), size * scale));
            break;
        }
    }
    return file.commit() ? QString() : GraphExportWords::tr("%1 cannot be written: %2").arg(path, file.errorString());
}

}  // namespace fusescope::gui
