// Shows lanes over time and lets one move in them by mouse and keyboard.
#pragma once

#include <QAbstractScrollArea>
#include <QSet>
#include <memory>
#include <optional>

#include "gui/timeline/timeline_scene.hpp"

namespace fusescope::gui {

class TimelineView : public QAbstractScrollArea {
    Q_OBJECT

 public:
    explicit TimelineView(QWidget* parent = nullptr);

    /// Keeps the visible range when there was data before and the user has moved in it.
    void setData(std::shared_ptr<const TimelineData> data);
    void clear();
    const TimelineData* data() const { return scene_.data.get(); }
    const TimelineScene& scene() const { return scene_; }

    void setSelected(const Selection& selection);
    void setRelated(const QSet<qint64>& events, const QSet<qint64>& transfers);
    /// Pans so that the slice can be seen, and zooms when it would be too small to make out among its neighbours.
    void reveal(Selection::Kind kind, qint64 id);

    void fit();
    /// Around a pixel of the row area; above 1 shows more detail.
    void zoom(double factor, double aroundPixel);
    void pan(double pixels);
    TimeRange visibleRange() const;
    void setVisibleRange(const TimeRange& range);
    std::optional<TimeRange> markedRange() const { return scene_.marked; }
    /// Without telling anybody.
    void setMarkedRange(std::optional<TimeRange> range);
    /// Shows or hides all rows but the main ones of a lane.
    void toggleLane(int lane);
    /// Time the last repaint took, for tests.
    qint64 lastPaintNs() const { return lastPaintNs_; }
    /// Centre of a slice in viewport coordinates; nothing when it is out of sight.
    std::optional<QPoint> centreOf(Selection::Kind kind, qint64 id) const;

 signals:
    void sliceClicked(Selection::Kind kind, qint64 id);
    void backgroundClicked();
    /// The user has marked a range (Shift + drag, drag on the ruler, a click on a step), or removed the mark.
    void rangeMarked();

 protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool viewportEvent(QEvent* event) override;

 private:
    TimelineData::Place hit(const QPoint& position) const;
    void choose(const TimelineData::Place& place);
    void mark(std::optional<TimeRange> range);
    void frame(qint64 begin, qint64 end);
    void stepSlice(int direction);
    void stepRow(int direction);
    TimelineData::Place chosen() const;
    void limitView();
    void layOut();
    QString toolTipOf(const QPoint& position) const;

    TimelineScene scene_;
    TimelinePainter painter_;
    bool touched_ = false;  ///< the user has moved, so new data does not fit again
    std::optional<double> markAnchor_;
    QPoint pressed_;
    double pressedBegin_ = 0;
    int pressedScroll_ = 0;
    bool dragging_ = false;
    TimelineData::Place clicked_;  ///< for rows whose slices cannot be selected
    qint64 lastPaintNs_ = 0;
};

}  // namespace fusescope::gui
