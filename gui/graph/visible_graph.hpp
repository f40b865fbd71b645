// Which boxes of a stage are drawn: regions of fused kernels and, in large graphs, scopes are one box until opened.
#pragma once

#include <QSet>
#include <QString>
#include <QVector>

#include "gui/graph/graph_data.hpp"

namespace fusescope::gui {

struct VisibleBox {
    QString key;  ///< stable name, for the set of opened boxes: "node:7", "scope:Default/fc", "part:…"
    QString title;
    QString subtitle;
    qint64 node = 0;  ///< 0 for a group of nodes
    int parent = -1;  ///< position of the opened box around it
    int hidden = 0;   ///< nodes that are folded into this box, itself not counted
    bool expandable = false;
    bool expanded = false;
    bool leaf = false;
};

struct VisibleEdge {
    int source = 0;
    int target = 0;
    int count = 1;  ///< edges of the stage that this one stands for
    QString type;   ///< dtype and shape of what flows, "" when several kinds do
};

struct VisibleGraph {
    qint64 stage = 0;
    QVector<VisibleBox> boxes;
    QVector<VisibleEdge> edges;
    QHash<qint64, int> boxOf;  ///< node id to the innermost box that shows it
    int nodeCount = 0;
    bool grouped = false;  ///< the stage is too large to draw node by node
};

/// More boxes than this are not put into one level; Graphviz takes longer than linear time.
inline constexpr int kBoxLimit = 300;

/// `expanded` holds the keys of the boxes that are open.
VisibleGraph makeVisible(const GraphData& data, const QSet<QString>& expanded, int limit = kBoxLimit);
/// The keys that must be open for a node's own box to be seen.
QSet<QString> keysAround(const GraphData& data, const QSet<QString>& expanded, qint64 node, int limit = kBoxLimit);

}  // namespace fusescope::gui
