// Paints the tracks of a run over time and lets one move in it by mouse and keyboard.
#pragma once

#include <QAbstractScrollArea>
#include <QSet>
#include <memory>
#include <optional>

#include "gui/widgets/timeline_data.hpp"

namespace fusescope::gui {

class TimelineView : public QAbstractScrollArea {
    Q_OBJECT

 public:
    explicit TimelineView(QWidget* parent = nullptr);

    /// Keeps the visible range when there was data before and the user has moved in it.
    void setData(std::shared_ptr<const TimelineData> data);
    void clear();
    const TimelineData* data() const { return data_.get(); }

    void setSelected(const Selection& selection);
    void setRelated(const QSet<qint64>& events, const QSet<qint64>& transfers);
    /// Pans so that the slice can be seen, and zooms when it would be too small to make out among its neighbours.
    void reveal(Selection::Kind kind, qint64 id);

    void fit();
    /// Around a pixel of the track area; above 1 shows more detail.
    void zoom(double factor, double aroundPixel);
    void pan(double pixels);
    TimeRange visibleRange() const;
    void setVisibleRange(const TimeRange& range);
    std::optional<TimeRange> markedRange() const { return marked_; }
    /// Time the last repaint took, for tests.
    qint64 lastPaintNs() const { return lastPaintNs_; }
    /// Centre of a slice in viewport coordinates; nothing when it is out of sight.
    std::optional<QPoint> centreOf(Selection::Kind kind, qint64 id) const;

 signals:
    void sliceClicked(Selection::Kind kind, qint64 id);
    void backgroundClicked();
    /// The user has marked a range (Shift + drag), or removed the mark.
    void rangeMarked();

 protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool viewportEvent(QEvent* event) override;

 private:
    struct Hit {
        int track = -1;
        qsizetype slice = -1;
    };

    int trackTop(int track) const;
    int trackWidth() const;
    double timeAt(double x) const;
    double xOf(double time) const;
    Hit hit(const QPoint& position) const;
    void stepSlice(int direction);
    void limitView();
    void updateScrollBar();
    void paintRuler(QPainter& painter) const;
    void paintTrack(QPainter& painter, int index) const;
    void paintMarked(QPainter& painter) const;
    QString toolTipOf(const Hit& hit) const;

    std::shared_ptr<const TimelineData> data_;
    double begin_ = 0;  ///< time at the left edge of the tracks
    double nsPerPixel_ = 1;
    bool touched_ = false;  ///< the user has moved, so new data does not fit again
    int labelWidth_ = 120;
    Selection selected_;
    QSet<qint64> relatedEvents_;
    QSet<qint64> relatedTransfers_;
    std::optional<TimeRange> marked_;
    std::optional<double> markAnchor_;
    QPoint pressed_;
    double pressedBegin_ = 0;
    bool dragging_ = false;
    qint64 lastPaintNs_ = 0;
    mutable std::vector<TimelinePiece> pieces_;
};

}  // namespace fusescope::gui
