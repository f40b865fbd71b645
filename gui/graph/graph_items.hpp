// The two things drawn in a graph: boxes, and the edges and links between them.
#pragma once

#include <QGraphicsItem>
#include <QPainterPath>

#include "gui/graph/graph_colors.hpp"
#include "gui/graph/layout.hpp"

namespace fusescope::gui {

class BoxItem : public QGraphicsItem {
 public:
    enum class Mark { None, Related, Selected };

    BoxItem(const VisibleBox& box, const QRectF& rect, int index);

    int index() const { return index_; }
    const VisibleBox& box() const { return box_; }
    QRectF rect() const { return rect_; }
    /// The small square that opens and closes the box; empty when there is nothing inside.
    QRectF toggleRect() const;

    void setRect(const QRectF& rect);
    void setMark(Mark mark);
    Mark mark() const { return mark_; }
    /// The keyboard is here; for scopes, which are no selection of the session.
    void setCurrent(bool current);
    void setPaint(const BoxPaint& paint);
    const BoxPaint& boxPaint() const { return paint_; }

    QRectF boundingRect() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

 private:
    void paintFrame(QPainter& painter, double lod) const;
    void paintBody(QPainter& painter, double lod) const;
    void paintPorts(QPainter& painter) const;
    void paintToggle(QPainter& painter) const;

    VisibleBox box_;
    QRectF rect_;
    int index_;
    Mark mark_ = Mark::None;
    bool current_ = false;
    BoxPaint paint_;
};

class EdgeItem : public QGraphicsItem {
 public:
    enum class Kind { Edge, Link };

    EdgeItem(const VisibleEdge& edge, const QPainterPath& path, QPointF tip, double angle, Kind kind = Kind::Edge);

    const VisibleEdge& edge() const { return edge_; }
    Kind kind() const { return kind_; }
    /// Lit edges end at the selected node, or lie on the way that is followed.
    void setLit(bool lit);
    bool isLit() const { return lit_; }

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
    Kind kind_;
    bool lit_ = false;
    bool hovered_ = false;
};

/// "Float32 (2, 48)  × 3": what an edge carries.
QString edgeText(const VisibleEdge& edge);

}  // namespace fusescope::gui
