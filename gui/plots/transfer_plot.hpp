// Transfers: one dot each, coloured by direction. Over time as high as its bytes, or bandwidth against size.
#pragma once

#include <QString>
#include <QVector>

#include "gui/app/selection.hpp"
#include "gui/plots/plot_widget.hpp"

namespace fusescope::gui {

class TransferPlot : public PlotWidget {
    Q_OBJECT

 public:
    struct Point {
        qint64 id = 0;
        double timeNs = 0;  ///< since the run began
        double bytes = 0;
        double durationNs = 0;
        QString kind;  ///< "h2d", "d2h", "d2d"
        QString reason;
        bool modelled = false;
    };

    explicit TransferPlot(QWidget* parent = nullptr);

    void setPoints(QVector<Point> points);
    const QVector<Point>& points() const { return points_; }
    void setMarked(const QSet<qint64>& transfers);
    enum class Axes { SizeOverTime, BandwidthBySize };
    void setAxes(Axes axes);
    /// Where a point is drawn, for tests.
    QPointF positionOf(int point) const;

    /// "host to device", for people.
    static QString kindText(const QString& kind);
    /// "read back by Python", for people.
    static QString reasonText(const QString& reason);
    static QColor kindColor(const QString& kind);

 signals:
    void chosen(const fusescope::gui::Selection& selection);

 protected:
    QString textAt(const QPoint& pixel) const override;
    void click(const QPointF& pixel) override;

 private:
    void draw() override;
    int pointAt(const QPointF& pixel) const;
    double xOf(const Point& point) const;
    double yOf(const Point& point) const;

    Axes axes_ = Axes::SizeOverTime;
    QVector<Point> points_;
    QSet<qint64> marked_;
};

}  // namespace fusescope::gui
