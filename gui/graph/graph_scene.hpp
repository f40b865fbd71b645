// The items of one laid-out stage, and which of them are selected, related or found.
#pragma once

#include <QGraphicsScene>
#include <QSet>
#include <QVector>
#include <memory>

#include "gui/graph/graph_items.hpp"

namespace fusescope::gui {

class GraphScene : public QGraphicsScene {
    Q_OBJECT

 public:
    explicit GraphScene(QObject* parent = nullptr);

    void show(std::shared_ptr<const GraphData> data, const GraphLayout& layout);
    void clearAll();

    void setColoring(GraphColoring coloring);
    /// `selected` is one node or 0; `related` may hold nodes of other stages.
    void setMarks(qint64 selected, const QSet<qint64>& related);

    bool isEmpty() const { return boxes_.isEmpty(); }
    const VisibleGraph& visible() const { return layout_.graph; }
    const GraphData* data() const { return data_.get(); }
    const QVector<BoxItem*>& boxes() const { return boxes_; }
    /// Box that shows the node: its own, or the closed one that hides it; null when it is not in this stage.
    BoxItem* boxOf(qint64 node) const;
    BoxItem* boxAt(const QPointF& point, const QTransform& transform) const;
    /// Nodes whose op, name or scope contains the text, in order of the stage.
    QVector<qint64> matches(const QString& text) const;
    QRectF bounds() const { return layout_.bounds; }

 private:
    void recolor();
    QString toolTipOf(const VisibleBox& box) const;

    std::shared_ptr<const GraphData> data_;
    GraphLayout layout_;
    QVector<BoxItem*> boxes_;
    QVector<EdgeItem*> edges_;
    GraphColoring coloring_ = GraphColoring::Kind;
};

}  // namespace fusescope::gui
