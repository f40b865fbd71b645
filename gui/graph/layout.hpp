// Places the boxes and edges of a visible graph, one level at a time. The only header of the part that uses Graphviz,
// and it does not show.
#pragma once

#include <QByteArray>
#include <QCache>
#include <QPainterPath>
#include <QPointF>
#include <QRectF>
#include <QVector>
#include <functional>

#include "gui/graph/visible_graph.hpp"

namespace fusescope::gui {

struct GraphLayout {
    VisibleGraph graph;
    QVector<QRectF> boxes;        ///< same order as graph.boxes
    QVector<QPainterPath> edges;  ///< same order as graph.edges; empty when an edge could not be routed
    QVector<QPointF> arrowTips;
    QVector<double> arrowAngles;  ///< degrees, direction in which the edge arrives
    QRectF bounds;
    int levelsLaidOut = 0;  ///< by Graphviz this time; the others were known

    /// Moves everything.
    void translate(const QPointF& by);
};

/// One level: boxes of given sizes, placed from (0, 0).
struct LevelLayout {
    QVector<QRectF> boxes;
    QVector<QPainterPath> edges;
    QVector<QPointF> arrowTips;
    QVector<double> arrowAngles;
    QSizeF size;
};

/// Levels that were laid out before, by their boxes' sizes and edges: opening one scope lays out that scope and what is
/// around it, and closing it again nothing. For one thread.
class LayoutCache {
 public:
    const LevelLayout* find(const QByteArray& key) const { return levels_.object(key); }
    const LevelLayout* insert(const QByteArray& key, LevelLayout level);

 private:
    QCache<QByteArray, LevelLayout> levels_{20'000};  ///< costs are boxes
};

/// Fonts of the boxes, so that the layout gives each the room its text needs.
QFont boxTitleFont();
QFont boxTextFont();

/// Room at the sides of a box for the ports of its links.
inline constexpr double kPortRoom = 14;

/// Graphviz keeps global state: call it from one thread only (Jobs::Lane::Layout). `cancelled` is asked between levels;
/// what is returned then is of no use. Throws std::runtime_error when Graphviz cannot lay a level out.
GraphLayout layOut(const VisibleGraph& graph, LayoutCache& cache, const std::function<bool()>& cancelled = {});
GraphLayout layOut(const VisibleGraph& graph);

}  // namespace fusescope::gui
