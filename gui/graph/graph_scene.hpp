// The items of one laid-out stage, and which of them are selected, related, followed or found.
#pragma once

#include <QGraphicsScene>
#include <QSet>
#include <QVariantAnimation>
#include <QVector>
#include <memory>

#include "gui/graph/follow.hpp"
#include "gui/graph/graph_items.hpp"

namespace fusescope::gui {

class GraphScene : public QGraphicsScene {
    Q_OBJECT

 public:
    explicit GraphScene(QObject* parent = nullptr);

    /// `anchor`: key of the box that stays where it is, "" for none. `animated`: boxes glide to their new places.
    void show(const GraphLayout& layout, const QString& anchor = {}, bool animated = false);
    void clearAll();
    /// Ends a glide at once.
    void finishAnimation();
    bool isAnimating() const { return glide_.state() == QAbstractAnimation::Running; }

    void setColoring(GraphColoring coloring);
    GraphColoring coloring() const { return coloring_; }
    void setFacts(const GraphFacts& facts);
    const GraphFacts& facts() const { return facts_; }
    GraphLegend legend() const;
    /// `selected` is one node or 0; `related` may hold nodes of other stages.
    void setMarks(qint64 selected, const QSet<qint64>& related);
    /// Dims what is not on the way of the selected node's values.
    void setFollow(Follow direction);
    Follow follow() const { return follow_; }
    const QSet<qint64>& followedNodes() const { return followed_; }
    /// The scope that the keyboard is on; "" for none.
    void setCurrent(const QString& key);
    const QString& current() const { return current_; }

    bool isEmpty() const { return boxes_.isEmpty(); }
    const GraphLayout& layout() const { return layout_; }
    const VisibleGraph& visible() const { return layout_.graph; }
    const GraphData* data() const { return layout_.graph.tree ? layout_.graph.tree->data.get() : nullptr; }
    const QVector<BoxItem*>& boxes() const { return boxes_; }
    const QVector<EdgeItem*>& edges() const { return edges_; }
    /// Links that are drawn at the moment: those of the selected box.
    const QVector<EdgeItem*>& links() const { return links_; }
    qint64 selected() const { return selected_; }
    /// Box that shows the node: its own, or the closed one that hides it; null when it is not in this stage.
    BoxItem* boxOf(qint64 node) const;
    BoxItem* boxOfKey(const QString& key) const;
    BoxItem* boxAt(const QPointF& point, const QTransform& transform) const;
    /// Nodes whose op, name or scope contains the text, in order of the stage.
    QVector<qint64> matches(const QString& text) const;
    QRectF bounds() const { return layout_.bounds; }

 signals:
    /// Colours, and with them the legend, or the boxes are other ones.
    void repainted();

 private:
    void recolor();
    void applyMarks();
    void showLinks();
    void glideTo(double t);
    QString toolTipOf(const VisibleBox& box) const;

    GraphLayout layout_;
    QVector<BoxItem*> boxes_;
    QVector<EdgeItem*> edges_;
    QVector<EdgeItem*> links_;
    QVector<QRectF> from_;  ///< where boxes glide from
    QVariantAnimation glide_;
    GraphColoring coloring_ = GraphColoring::Kind;
    GraphFacts facts_;
    qint64 selected_ = 0;
    QSet<qint64> related_;
    Follow follow_ = Follow::None;
    QSet<qint64> followed_;
    QString current_;
};

}  // namespace fusescope::gui
