// A tensor's statistics over the runs of the op that makes it: mean as a line in the band from least to greatest.
#pragma once

#include <QVector>

#include "gui/plots/plot_widget.hpp"

namespace fusescope::gui {

class HistoryPlot : public PlotWidget {
    Q_OBJECT

 public:
    struct Point {
        qint64 step = 0;
        bool known = false;  ///< min … mean are told
        double min = 0, mean = 0, max = 0;
        qint64 bad = 0;  ///< NaN and Inf
    };

    explicit HistoryPlot(QWidget* parent = nullptr);

    /// The horizontal axis has the steps when each point has its own, else the number of the run.
    void setPoints(QVector<Point> points);
    const QVector<Point>& points() const { return points_; }
    void setCurrent(int point);
    bool bySteps() const { return bySteps_; }
    /// Where a point is drawn, for tests.
    QPoint positionOf(int point) const;

 signals:
    void pointChosen(int point);

 protected:
    QString textAt(const QPoint& pixel) const override;
    void click(const QPointF& pixel) override;

 private:
    void draw() override;
    double keyOf(int point) const;
    int nearest(double key) const;

    QVector<Point> points_;
    int current_ = -1;
    bool bySteps_ = false;
};

}  // namespace fusescope::gui
