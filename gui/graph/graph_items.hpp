// The two things drawn in a graph: boxes and edges.
#pragma once

#include <QGraphicsItem>
#include <QPainterPath>

#include "gui/graph/layout.hpp"

namespace fusescope::gui {

/// What a box's colour tells.
enum class GraphColoring { Kind, Time };

class BoxItem : public QGraphicsItem {
 public:
    enum class Mark { None, Related, Selected };

    BoxItem(const VisibleBox& box, const QRectF& rect, int index);

    int index() const { return index_; }
    const VisibleBox& box() const { return box_; }
    QRectF rect() const { return rect_; }

    void setMark(Mark mark);
    Mark mark() const { return mark_; }
    /// `colorName` picks the hue when colouring by kind; `share` in 0…1 when by time, below 0 when it was not timed.
    void setColoring(GraphColoring coloring, const QString& colorName, double share, bool modelled);

    QRectF boundingRect() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

 private:
    void paintFrame(QPainter& painter) const;
    void paintBody(QPainter& painter, double lod) const;

    VisibleBox box_;
    QRectF rect_;
    int index_;
    Mark mark_ = Mark::None;
    GraphColoring coloring_ = GraphColoring::Kind;
    QString colorName_;
    double share_ = -1;
    bool modelled_ = false;
};

class EdgeItem : public QGraphicsItem {
 public:
    EdgeItem(const VisibleEdge& edge, const QPainterPath& path, QPointF tip, double angle);

    const VisibleEdge& edge() const { return edge_; }
    /// Lit edges end at the selected node.
    void setLit(bool lit);

    QRectF boundingRect() const override;
    QPainterPath shape() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

 protected:
    void hoverEnterEvent(QGraphicsSceneHoverEvent* event) override;
    void hoverLeaveEvent(QGraphicsSceneHoverEvent* event) override;

 private:
    VisibleEdge edge_;
    QPainterPath path_;
    QPointF tip_;
    double angle_;
    bool lit_ = false;
    bool hovered_ = false;
};

}  // namespace fusescope::gui
