// A view on a stage: drag to pan, wheel to zoom, click to select, double-click to open a box. Its legend and its map
// lie in the lower corners.
#pragma once

#include <QGraphicsView>
#include <QString>

#include "gui/graph/graph_overlays.hpp"
#include "gui/graph/graph_scene.hpp"

namespace fusescope::gui {

class GraphView : public QGraphicsView {
    Q_OBJECT

 public:
    explicit GraphView(QWidget* parent = nullptr);

    GraphScene& graph() { return *scene_; }
    /// Text over an empty view: why there is nothing to see, or that a layout is under way.
    void setMessage(const QString& message);
    QString message() const { return message_; }
    /// Line at the lower edge, for what is not shown.
    void setNotice(const QString& notice);

    void fit();
    /// As fit() when that leaves letters to be read, else the top of the graph at a size that does.
    void showStart();
    void zoomBy(double factor);
    /// Brings the node into view without changing the zoom more than needed to read it.
    void reveal(qint64 node);
    /// What of the scene is seen.
    QRectF shownRect() const;
    /// As the user does who drags the map.
    void goTo(const QPointF& scenePoint);
    /// Puts that point in the middle, at a size that is `zoom` times the present one; nobody is told.
    void moveTo(const QPointF& scenePoint, double zoom);
    void setMinimapShown(bool shown);
    void setLegendShown(bool shown);
    LegendOverlay& legend() { return *legend_; }
    Minimap& minimap() { return *minimap_; }

 signals:
    /// The user has dragged, scrolled or zoomed; `zoom` is what the size was multiplied by.
    void movedByUser(double zoom);
    void nodeClicked(qint64 node);
    void backgroundClicked();
    void boxToggled(const QString& key);
    /// The user asks to follow the selected node's values, or to stop.
    void followAsked(fusescope::gui::Follow direction);

 protected:
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void drawForeground(QPainter* painter, const QRectF& rect) override;
    void scrollContentsBy(int dx, int dy) override;

 private:
    void step(Qt::Key key);
    void stepAlong(bool up);
    void choose(const BoxItem& box);
    void placeOverlays();

    GraphScene* scene_;
    LegendOverlay* legend_;
    Minimap* minimap_;
    bool legendShown_ = true;
    bool minimapShown_ = true;
    QString message_;
    QString notice_;
    QPoint pressed_;
    bool touched_ = false;  ///< the user has chosen a view, so a resize does not fit again
};

}  // namespace fusescope::gui
