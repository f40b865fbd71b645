// Places the boxes and edges of a visible graph. The only header of the part that uses Graphviz, and it does not show.
#pragma once

#include <QPainterPath>
#include <QPointF>
#include <QRectF>
#include <QVector>

#include "gui/graph/visible_graph.hpp"

namespace fusescope::gui {

struct GraphLayout {
    VisibleGraph graph;
    QVector<QRectF> boxes;        ///< same order as graph.boxes
    QVector<QPainterPath> edges;  ///< same order as graph.edges; empty when an edge could not be routed
    QVector<QPointF> arrowTips;
    QVector<double> arrowAngles;  ///< degrees, direction in which the edge arrives
    QRectF bounds;
};

/// Fonts of the boxes, so that the layout gives each the room its text needs.
QFont boxTitleFont();
QFont boxTextFont();

/// Graphviz keeps global state: call it from one thread only (Jobs::Lane::Layout). Throws std::runtime_error when
/// Graphviz cannot lay the graph out.
GraphLayout layOut(const VisibleGraph& graph);

}  // namespace fusescope::gui
