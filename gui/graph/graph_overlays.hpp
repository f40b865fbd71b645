// What lies over a graph: the legend of its colours, and a small map of the whole.
#pragma once

#include <QWidget>

#include "gui/graph/graph_colors.hpp"

namespace fusescope::gui {

class GraphView;

/// Takes no clicks; what is below stays reachable.
class LegendOverlay : public QWidget {
    Q_OBJECT

 public:
    explicit LegendOverlay(QWidget* parent);
    /// No entries hide it.
    void setLegend(const GraphLegend& legend);
    const GraphLegend& legend() const { return legend_; }
    QSize sizeHint() const override;

 protected:
    void paintEvent(QPaintEvent* event) override;

 private:
    GraphLegend legend_;
};

/// All boxes, with a frame around what the view shows; a click or drag goes there.
class Minimap : public QWidget {
    Q_OBJECT

 public:
    explicit Minimap(GraphView& view);
    QSize sizeHint() const override;
    /// The boxes have changed: draws them anew.
    void refresh();
    /// True when the graph is larger than the view, so that a map is of use.
    bool isUseful() const;

 protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

 private:
    QTransform toMap() const;
    void go(const QPointF& position);

    GraphView& view_;
    QPixmap boxes_;
};

}  // namespace fusescope::gui
