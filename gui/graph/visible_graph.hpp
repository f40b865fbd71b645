// Which boxes of a stage are drawn: scopes and fused kernels are one box until opened. Edges join boxes of one level
// only; what crosses a frame, or runs past many ranks, is a link: a short port at both ends, drawn in full on
// selection.
#pragma once

#include <QSet>
#include <QString>
#include <QVector>
#include <memory>

#include "gui/graph/scope_tree.hpp"

namespace fusescope::gui {

struct VisibleBox {
    QString key;  ///< of its item
    QString title;
    QString subtitle;
    qint64 node = 0;  ///< 0 for a scope
    int item = -1;    ///< in the tree
    int parent = -1;  ///< position of the opened box around it
    int hidden = 0;   ///< nodes that are folded into this box, itself not counted
    int linksIn = 0;  ///< links that end here
    int linksOut = 0;
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
    std::shared_ptr<const ScopeTree> tree;
    QVector<VisibleBox> boxes;   ///< a frame comes before what is in it
    QVector<VisibleEdge> edges;  ///< between boxes of the same parent
    QVector<VisibleEdge> links;
    QVector<int> boxOfItem;  ///< innermost box that shows the item

    int nodeCount() const { return tree ? static_cast<int>(tree->data->nodes.size()) : 0; }
    /// Innermost box that shows the node, -1 when it is hidden or not of this stage.
    int boxOf(qint64 node) const;
    int boxOfKey(const QString& key) const;
};

/// `expanded` holds the keys of the items that are open.
VisibleGraph makeVisible(const std::shared_ptr<const ScopeTree>& tree, const QSet<QString>& expanded);
/// What to open at first: level by level while few enough boxes are seen to be read. Fused kernels stay closed, but for
/// those of a merged graph, which are there to be looked into.
QSet<QString> startKeys(const ScopeTree& tree);
/// The keys that must be open for a node's own box to be seen.
QSet<QString> keysAround(const ScopeTree& tree, const QSet<QString>& expanded, qint64 node);

}  // namespace fusescope::gui
