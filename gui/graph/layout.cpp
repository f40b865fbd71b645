// Graphviz "dot" through cgraph and gvc: opened boxes become clusters, everything else a node of fixed size.
#include "gui/graph/layout.hpp"

#include <cgraph.h>
#include <gvc.h>

#include <QFontMetricsF>
#include <QGuiApplication>
#include <QLineF>
#include <algorithm>
#include <memory>
#include <stdexcept>

namespace fusescope::gui {

namespace {

constexpr double kPointsPerInch = 72.0;
constexpr double kMaxTextWidth = 260.0;

struct CloseGraph {
    void operator()(Agraph_t* graph) const { agclose(graph); }
};

// Created once and kept: loading the layout plug-ins takes longer than a small layout.
GVC_t* context() {
    static GVC_t* const gvc = gvContext();
    return gvc;
}

void set(void* object, const char* name, const std::string& value) {
    agsafeset(object, const_cast<char*>(name), const_cast<char*>(value.c_str()), const_cast<char*>(""));
}

QSizeF sizeOf(const VisibleBox& box) {
    const QFontMetricsF title(boxTitleFont());
    const QFontMetricsF text(boxTextFont());
    const double width =
        std::min(kMaxTextWidth, std::max(title.horizontalAdvance(box.title), text.horizontalAdvance(box.subtitle)));
    const double badge = box.hidden > 0 && box.node != 0 ? 26 : 0;
    const double height = title.height() + (box.subtitle.isEmpty() ? 0 : text.height()) + (box.leaf ? 8 : 14);
    return {width + badge + 24, height};
}

class DotLayout {
 public:
    explicit DotLayout(const VisibleGraph& visible) : visible_(visible) {}

    GraphLayout run() {
        graph_.reset(agopen(const_cast<char*>("g"), Agdirected, nullptr));
        if (!graph_) {
            throw std::runtime_error("Graphviz could not start a graph");
        }
        Agraph_t* root = graph_.get();
        set(root, "rankdir", "TB");
        set(root, "nodesep", "0.22");
        set(root, "ranksep", "0.42");
        set(root, "splines", visible_.edges.size() > 500 ? "polyline" : "spline");
        if (visible_.boxes.size() > 500) {
            set(root, "nslimit", "2");
            set(root, "mclimit", "0.5");
        }
        addBoxes();
        addEdges();
        if (gvLayout(context(), root, "dot") != 0) {
            throw std::runtime_error("Graphviz could not lay this graph out");
        }
        GraphLayout layout = read();
        gvFreeLayout(context(), root);
        return layout;
    }

 private:
    void addBoxes() {
        std::vector<Agraph_t*> clusters(visible_.boxes.size(), nullptr);
        nodes_.assign(visible_.boxes.size(), nullptr);
        clusters_.assign(visible_.boxes.size(), nullptr);
        for (int i = 0; i < visible_.boxes.size(); ++i) {
            const auto& box = visible_.boxes[i];
            Agraph_t* home = box.parent >= 0 && clusters_[box.parent] ? clusters_[box.parent] : graph_.get();
            const std::string id = std::to_string(i);
            if (box.expanded) {
                const std::string name = "cluster_" + id;
                clusters_[i] = agsubg(home, const_cast<char*>(name.c_str()), 1);
                set(clusters_[i], "margin", "16");
                // Keeps room for the frame's title.
                set(clusters_[i], "label", " ");
                continue;
            }
            nodes_[i] = agnode(home, const_cast<char*>(id.c_str()), 1);
            const QSizeF size = sizeOf(box);
            set(nodes_[i], "shape", "box");
            set(nodes_[i], "fixedsize", "true");
            set(nodes_[i], "label", "");
            set(nodes_[i], "width", std::to_string(size.width() / kPointsPerInch));
            set(nodes_[i], "height", std::to_string(size.height() / kPointsPerInch));
        }
    }

    Agnode_t* insideOf(int box) const {
        while (box >= 0 && !nodes_[box]) {
            int child = -1;
            for (int i = box + 1; i < visible_.boxes.size() && child < 0; ++i) {
                child = visible_.boxes[i].parent == box ? i : -1;
            }
            box = child;
        }
        return box >= 0 ? nodes_[box] : nullptr;
    }

    void addEdges() {
        edges_.assign(visible_.edges.size(), nullptr);
        for (int i = 0; i < visible_.edges.size(); ++i) {
            const auto& edge = visible_.edges[i];
            Agnode_t* source = insideOf(edge.source);
            Agnode_t* target = insideOf(edge.target);
            if (source && target && source != target) {
                edges_[i] = agedge(graph_.get(), source, target, nullptr, 1);
            }
        }
    }

    static QPointF flip(pointf p, double top) { return {p.x, top - p.y}; }

    GraphLayout read() const {
        GraphLayout layout;
        layout.graph = visible_;
        const double top = GD_bb(graph_.get()).UR.y;
        for (int i = 0; i < visible_.boxes.size(); ++i) {
            QRectF rect;
            if (nodes_[i]) {
                const double width = ND_width(nodes_[i]) * kPointsPerInch;
                const double height = ND_height(nodes_[i]) * kPointsPerInch;
                const QPointF centre = flip(ND_coord(nodes_[i]), top);
                rect = {centre.x() - width / 2, centre.y() - height / 2, width, height};
            } else if (clusters_[i]) {
                const boxf bb = GD_bb(clusters_[i]);
                rect = QRectF(flip({bb.LL.x, bb.UR.y}, top), flip({bb.UR.x, bb.LL.y}, top));
            }
            layout.boxes.push_back(rect);
            layout.bounds |= rect;
        }
        for (int i = 0; i < visible_.edges.size(); ++i) {
            QPainterPath path;
            QPointF tip;
            double angle = 90;
            const splines* routes = edges_[i] ? ED_spl(edges_[i]) : nullptr;
            for (int piece = 0; routes && piece < routes->size; ++piece) {
                const bezier& curve = routes->list[piece];
                if (curve.size < 1) {
                    continue;
                }
                path.moveTo(flip(curve.sflag ? curve.sp : curve.list[0], top));
                if (curve.sflag) {
                    path.lineTo(flip(curve.list[0], top));
                }
                for (int k = 1; k + 2 < curve.size; k += 3) {
                    path.cubicTo(flip(curve.list[k], top), flip(curve.list[k + 1], top), flip(curve.list[k + 2], top));
                }
                const QPointF end = flip(curve.list[curve.size - 1], top);
                tip = curve.eflag ? flip(curve.ep, top) : end;
                const QPointF before = curve.eflag ? end : flip(curve.list[std::max(0, curve.size - 2)], top);
                angle = -QLineF(before, tip).angle();
            }
            layout.bounds |= path.boundingRect();
            layout.edges.push_back(path);
            layout.arrowTips.push_back(tip);
            layout.arrowAngles.push_back(angle);
        }
        return layout;
    }

    const VisibleGraph& visible_;
    std::unique_ptr<Agraph_t, CloseGraph> graph_;
    std::vector<Agnode_t*> nodes_;
    std::vector<Agraph_t*> clusters_;
    std::vector<Agedge_t*> edges_;
};

}  // namespace

QFont boxTitleFont() {
    QFont font = QGuiApplication::font();
    font.setPixelSize(13);
    font.setWeight(QFont::DemiBold);
    return font;
}

QFont boxTextFont() {
    QFont font = QGuiApplication::font();
    font.setPixelSize(11);
    return font;
}

GraphLayout layOut(const VisibleGraph& graph) {
    if (graph.boxes.isEmpty()) {
        GraphLayout empty;
        empty.graph = graph;
        return empty;
    }
    return DotLayout(graph).run();
}

}  // namespace fusescope::gui
