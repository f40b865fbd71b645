// How the durations of ops spread: a box from the first to the third quartile with the median in it, whiskers, and dots
// for what lies beyond them.
#pragma once

#include <QColor>
#include <QString>
#include <QVector>
#include <functional>

#include "gui/app/selection.hpp"
#include "gui/plots/plot_widget.hpp"

namespace fusescope::gui {

class BoxPlot : public PlotWidget {
    Q_OBJECT

 public:
    struct Box {
        QString label;
        qint64 calls = 0;
        double low = 0, q1 = 0, median = 0, q3 = 0, high = 0;  ///< ns
        qint64 outside = 0;
        QVector<double> outliers;
        bool modelled = false;
        QColor color;
        Selection target;
    };

    explicit BoxPlot(QWidget* parent = nullptr);

    void setBoxes(QVector<Box> boxes);
    const QVector<Box>& boxes() const { return boxes_; }
    /// Outlines the boxes for which this is true.
    void setMarked(std::function<bool(const Box&)> marked);
    /// Where the middle of a box is drawn, for tests.
    QPoint positionOf(int box) const;

 signals:
    void chosen(const fusescope::gui::Selection& selection);

 protected:
    void resizeEvent(QResizeEvent* event) override;
    QString textAt(const QPoint& pixel) const override;
    void click(const QPointF& pixel) override;

 private:
    void draw() override;
    int boxAt(double pixelY) const;

    QVector<Box> boxes_;
    std::function<bool(const Box&)> marked_;
    int shown_ = 0;
};

}  // namespace fusescope::gui
