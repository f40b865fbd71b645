// Operations by time against operations by byte: what is bound by memory lies under the slope, what is bound by
// arithmetic under the flat roof. The roofs are the best that any op of the run reached, one pair for each clock.
#pragma once

#include <QColor>
#include <QString>
#include <QVector>
#include <functional>

#include "gui/app/selection.hpp"
#include "gui/plots/plot_widget.hpp"

namespace fusescope::gui {

class RooflinePlot : public PlotWidget {
    Q_OBJECT

 public:
    struct Point {
        QString label;
        double flops = 0;
        double bytes = 0;
        double ns = 0;
        double share = 0;  ///< of all op time
        bool modelled = false;
        QColor color;
        Selection target;

        double intensity() const { return flops / bytes; }  ///< FLOPs by byte
        double flopsPerSecond() const { return flops / ns * 1e9; }
        double bytesPerSecond() const { return bytes / ns * 1e9; }
    };
    struct Roof {
        double bytesPerSecond = 0;
        double flopsPerSecond = 0;
    };

    explicit RooflinePlot(QWidget* parent = nullptr);

    /// Points without FLOPs, bytes or time have no place in the plot and are left out.
    void setPoints(QVector<Point> points);
    const QVector<Point>& points() const { return points_; }
    void setMarked(std::function<bool(const Point&)> marked);
    /// Of the points with that clock; zeros when there is none.
    Roof roof(bool modelled) const;
    /// Where a point is drawn, for tests.
    QPointF positionOf(int point) const;

 signals:
    void chosen(const fusescope::gui::Selection& selection);

 protected:
    void resizeEvent(QResizeEvent* event) override;
    QString textAt(const QPoint& pixel) const override;
    void click(const QPointF& pixel) override;

 private:
    void draw() override;
    void drawRoof(bool modelled, double from, double to);
    void writeNames(QVector<int> order);
    int pointAt(const QPointF& pixel) const;

    QVector<Point> points_;
    std::function<bool(const Point&)> marked_;
};

}  // namespace fusescope::gui
