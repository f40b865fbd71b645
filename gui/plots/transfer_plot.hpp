// Transfers over time: one dot each, as high as its bytes, coloured by direction.
#pragma once

#include <QString>
#include <QVector>
#include <QWidget>

#include "gui/app/selection.hpp"

class QCustomPlot;

namespace fusescope::gui {

class TransferPlot : public QWidget {
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

    /// "host to device", for people.
    static QString kindText(const QString& kind);
    /// "read back by Python", for people.
    static QString reasonText(const QString& reason);
    static QColor kindColor(const QString& kind);

 signals:
    void chosen(const fusescope::gui::Selection& selection);

 protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

 private:
    void rebuild();
    int pointAt(const QPointF& pixel) const;

    QCustomPlot* plot_;
    QVector<Point> points_;
    QSet<qint64> marked_;
};

}  // namespace fusescope::gui
