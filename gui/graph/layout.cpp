// Graphviz "dot" through cgraph and gvc. An opened box is laid out by itself first and then stands in its level as one
// box of that size, so that no layout sees more than one level.
#include "gui/graph/layout.hpp"

#include <cgraph.h>
#include <gvc.h>

#include <QDataStream>
#include <QFontMetricsF>
#include <QGuiApplication>
#include <QIODevice>
#include <QLineF>
#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>

namespace fusescope::gui {

namespace {

constexpr double kPointsPerInch = 72.0;
constexpr double kMaxTextWidth = 260.0;
constexpr double kFrameMargin = 14.0;
constexpr double kFrameTitle = 26.0;
constexpr int kManyEdges = 250;  // beyond, curves take longer than they are worth

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

QSizeF textSizeOf(const VisibleBox& box, const QFontMetricsF& title, const QFontMetricsF& text) {
    const double width = std::min(
        kMaxTextWidth, std::max(title.horizontalAdvance(box.title) + (box.leaf ? 0 : 18),  // a sign may stand beside it
                                text.horizontalAdvance(box.subtitle)));
    const double badge = box.expandable ? 22 : 0;
    const double height = title.height() + (box.subtitle.isEmpty() ? 0 : text.height()) + (box.leaf ? 8 : 14);
    return {std::ceil(width + badge + 24), std::ceil(height)};
}

struct LevelEdge {
    int source = 0;
    int target = 0;
};

class DotLevel {
 public:
    DotLevel(const QVector<QSizeF>& sizes, const QVector<LevelEdge>& edges) : sizes_(sizes), wanted_(edges) {}

    LevelLayout run() {
        graph_.reset(agopen(const_cast<char*>("g"), Agstrictdirected, nullptr));
        if (!graph_) {
            throw std::runtime_error("Graphviz could not start a graph");
        }
        Agraph_t* root = graph_.get();
        set(root, "rankdir", "TB");
        set(root, "nodesep", "0.24");
        set(root, "ranksep", "0.42");
        set(root, "splines", wanted_.size() > kManyEdges ? "polyline" : "spline");
        if (sizes_.size() > 120) {
            set(root, "nslimit", "2");
            set(root, "mclimit", "0.4");
        }
        for (int i = 0; i < sizes_.size(); ++i) {
            const std::string id = std::to_string(i);
            Agnode_t* node = agnode(root, const_cast<char*>(id.c_str()), 1);
            set(node, "shape", "box");
            set(node, "fixedsize", "true");
            set(node, "label", "");
            set(node, "width", std::to_string(sizes_[i].width() / kPointsPerInch));
            set(node, "height", std::to_string(sizes_[i].height() / kPointsPerInch));
            nodes_.push_back(node);
        }
        for (const LevelEdge& edge : wanted_) {
            edges_.push_back(agedge(root, nodes_[edge.source], nodes_[edge.target], nullptr, 1));
        }
        if (gvLayout(context(), root, "dot") != 0) {
            throw std::runtime_error("Graphviz could not lay this graph out");
        }
        LevelLayout level = read();
        gvFreeLayout(context(), root);
        return level;
    }

 private:
    static QPointF flip(pointf p, double top) { return {p.x, top - p.y}; }

    LevelLayout read() const {
        LevelLayout level;
        QRectF bounds;
        const double top = GD_bb(graph_.get()).UR.y;
        for (int i = 0; i < sizes_.size(); ++i) {
            const QPointF centre = flip(ND_coord(nodes_[i]), top);
            const QRectF rect(centre - QPointF(sizes_[i].width() / 2, sizes_[i].height() / 2), sizes_[i]);
            level.boxes.push_back(rect);
            bounds |= rect;
        }
        for (Agedge_t* edge : edges_) {
            QPainterPath path;
            QPointF tip;
            double angle = 90;
            const splines* routes = edge ? ED_spl(edge) : nullptr;
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
            bounds |= path.boundingRect();
            level.edges.push_back(path);
            level.arrowTips.push_back(tip);
            level.arrowAngles.push_back(angle);
        }
        for (QRectF& rect : level.boxes) {
            rect.translate(-bounds.topLeft());
        }
        for (int i = 0; i < level.edges.size(); ++i) {
            level.edges[i].translate(-bounds.topLeft());
            level.arrowTips[i] -= bounds.topLeft();
        }
        level.size = bounds.size();
        return level;
    }

    const QVector<QSizeF>& sizes_;
    const QVector<LevelEdge>& wanted_;
    std::unique_ptr<Agraph_t, CloseGraph> graph_;
    std::vector<Agnode_t*> nodes_;
    std::vector<Agedge_t*> edges_;
};

QByteArray keyOf(const QVector<QSizeF>& sizes, const QVector<LevelEdge>& edges) {
    QByteArray key;
    QDataStream stream(&key, QIODevice::WriteOnly);
    for (const QSizeF& size : sizes) {
        stream << size;
    }
    for (const LevelEdge& edge : edges) {
        stream << edge.source << edge.target;
    }
    return key;
}

class Composer {
 public:
    Composer(const VisibleGraph& graph, LayoutCache& cache, const std::function<bool()>& cancelled)
        : cache_(cache), cancelled_(cancelled), title_(boxTitleFont()), text_(boxTextFont()) {
        layout_.graph = graph;
    }

    GraphLayout run() {
        const VisibleGraph& graph = layout_.graph;
        layout_.boxes.resize(graph.boxes.size());
        layout_.edges.resize(graph.edges.size());
        layout_.arrowTips.resize(graph.edges.size());
        layout_.arrowAngles.fill(90, graph.edges.size());
        // Slot 0 is the top level, slot i + 1 the inside of box i.
        children_.resize(graph.boxes.size() + 1);
        edges_.resize(graph.boxes.size() + 1);
        levels_.resize(graph.boxes.size() + 1);
        for (int i = 0; i < graph.boxes.size(); ++i) {
            children_[graph.boxes[i].parent + 1].push_back(i);
        }
        for (int i = 0; i < graph.edges.size(); ++i) {
            edges_[graph.boxes[graph.edges[i].source].parent + 1].push_back(i);
        }
        measure(0);
        place(0, QPointF(0, 0));
        for (const QRectF& rect : std::as_const(layout_.boxes)) {
            layout_.bounds |= rect;
        }
        for (const QPainterPath& path : std::as_const(layout_.edges)) {
            layout_.bounds |= path.boundingRect();
        }
        return std::move(layout_);
    }

 private:
    static double portRoom(const VisibleBox& box) { return box.linksIn + box.linksOut > 0 ? kPortRoom : 0; }

    QSizeF measure(int slot) {
        const VisibleGraph& graph = layout_.graph;
        QVector<QSizeF> sizes;
        QHash<int, int> place;
        for (const int child : std::as_const(children_[slot])) {
            const VisibleBox& box = graph.boxes[child];
            QSizeF size = textSizeOf(box, title_, text_);
            if (box.expanded) {
                const QSizeF inside = measure(child + 1);
                size = {std::max(size.width(), inside.width() + 2 * kFrameMargin),
                        inside.height() + kFrameTitle + kFrameMargin};
            }
            place.insert(child, static_cast<int>(sizes.size()));
            // The ports of a frame stand over its edge.
            sizes.push_back(size + QSizeF(2 * portRoom(box), 0));
        }
        if (sizes.isEmpty() || (cancelled_ && cancelled_())) {
            return {0, 0};
        }
        QVector<LevelEdge> wanted;
        for (const int edge : std::as_const(edges_[slot])) {
            wanted.push_back({place.value(graph.edges[edge].source), place.value(graph.edges[edge].target)});
        }
        const QByteArray key = keyOf(sizes, wanted);
        if (const LevelLayout* known = cache_.find(key)) {
            levels_[slot] = *known;
        } else {
            levels_[slot] = DotLevel(sizes, wanted).run();
            cache_.insert(key, levels_[slot]);
            ++layout_.levelsLaidOut;
        }
        return levels_[slot].size;
    }

    void place(int slot, const QPointF& origin) {
        const LevelLayout& level = levels_[slot];
        for (int i = 0; i < level.boxes.size() && i < children_[slot].size(); ++i) {
            const int child = children_[slot][i];
            const VisibleBox& box = layout_.graph.boxes[child];
            const double room = portRoom(box);
            const QRectF rect = level.boxes[i].translated(origin).adjusted(room, 0, -room, 0);
            layout_.boxes[child] = rect;
            if (box.expanded) {
                const double spare = rect.width() - levels_[child + 1].size.width();
                place(child + 1, rect.topLeft() + QPointF(spare / 2, kFrameTitle));
            }
        }
        for (int i = 0; i < level.edges.size() && i < edges_[slot].size(); ++i) {
            const int edge = edges_[slot][i];
            layout_.edges[edge] = level.edges[i].translated(origin);
            layout_.arrowTips[edge] = level.arrowTips[i] + origin;
            layout_.arrowAngles[edge] = level.arrowAngles[i];
        }
    }

    GraphLayout layout_;
    LayoutCache& cache_;
    const std::function<bool()>& cancelled_;
    const QFontMetricsF title_, text_;
    QVector<QVector<int>> children_, edges_;
    QVector<LevelLayout> levels_;
};

}  // namespace

void GraphLayout::translate(const QPointF& by) {
    for (QRectF& rect : boxes) {
        rect.translate(by);
    }
    for (QPainterPath& path : edges) {
        path.translate(by);
    }
    for (QPointF& tip : arrowTips) {
        tip += by;
    }
    bounds.translate(by);
}

const LevelLayout* LayoutCache::insert(const QByteArray& key, LevelLayout level) {
    const auto cost = static_cast<int>(level.boxes.size() + level.edges.size() + 1);
    levels_.insert(key, new LevelLayout(std::move(level)), cost);
    return levels_.object(key);
}

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

GraphLayout layOut(const VisibleGraph& graph, LayoutCache& cache, const std::function<bool()>& cancelled) {
    return Composer(graph, cache, cancelled).run();
}

GraphLayout layOut(const VisibleGraph& graph) {
    LayoutCache cache;
    return layOut(graph, cache);
}

}  // namespace fusescope::gui
