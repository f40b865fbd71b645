// Live bytes of each device over time, as stairs. A click chooses the moment.
#pragma once

#include <QColor>
#include <QString>
#include <QVector>

#include "gui/plots/plot_widget.hpp"

namespace fusescope::gui {

class MemoryPlot : public PlotWidget {
    Q_OBJECT

 public:
    struct Series {
        QString name;
        QVector<double> times;  ///< ns since the run began
        QVector<double> bytes;
    };

    explicit MemoryPlot(QWidget* parent = nullptr);

    void setSeries(QVector<Series> series);
    const QVector<Series>& series() const { return series_; }
    /// The moment and the device that are looked at; -1 for none.
    void setCurrent(int series, double time);
    /// Where a moment is drawn, for tests.
    double positionOf(double time) const;

 signals:
    void momentChosen(double time);

 protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    QString textAt(const QPoint& pixel) const override;
    void click(const QPointF& pixel) override;

 private:
    void draw() override;

    QVector<Series> series_;
    int current_ = -1;
    double time_ = 0;
    bool ranged_ = false;  ///< the time axis shows data, perhaps as the user zoomed it
    QPointF pressed_;
};

}  // namespace fusescope::gui
