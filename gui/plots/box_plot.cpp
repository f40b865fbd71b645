// Durations of different ops lie decades apart, so that the axis is logarithmic.
#include "gui/plots/box_plot.hpp"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

#include "gui/app/theme.hpp"
#include "gui/plots/log_ticker.hpp"
#include "gui/plots/plot_style.hpp"
#include "gui/widgets/format.hpp"

namespace fusescope::gui {

namespace {

constexpr int kLabelPixels = 170;
constexpr int kRowPixels = 20;

}  // namespace

BoxPlot::BoxPlot(QWidget* parent) : PlotWidget(tr("Spread of the durations of each op"), parent) {
    plot_->setMinimumSize(120, 60);
    rebuild();
}

void BoxPlot::setBoxes(QVector<Box> boxes) {
    boxes_ = std::move(boxes);
    rebuild();
}

void BoxPlot::setMarked(std::function<bool(const Box&)> marked) {
    marked_ = std::move(marked);
    rebuild();
}

void BoxPlot::draw() {
    const Theme& t = theme();
    plot_->legend->setVisible(false);
    shown_ = std::min<int>(static_cast<int>(boxes_.size()), std::max(3, (height() - 46) / kRowPixels));
    for (QCPAxis* axis : {plot_->xAxis, plot_->yAxis}) {
        axis->setVisible(shown_ > 0);
    }
    if (shown_ == 0) {
        showText(tr("No op was timed in this run."));
        return;
    }
    auto names = QSharedPointer<QCPAxisTickerText>::create();
    const QFontMetrics metrics(font());
    double least = INFINITY, most = 1;
    for (int i = 0; i < shown_; ++i) {
        const Box& box = boxes_[i];
        const bool marked = marked_ && marked_(box);
        auto* item = new QCPStatisticalBox(plot_->yAxis, plot_->xAxis);
        const auto positive = [](double ns) { return std::max(1.0, ns); };  // the axis has no zero
        QVector<double> outliers;
        for (const double outlier : box.outliers) {
            outliers.push_back(positive(outlier));
            least = std::min(least, outliers.back());
            most = std::max(most, outliers.back());
        }
        item->addData(i, positive(box.low), positive(box.q1), positive(box.median), positive(box.q3),
                      positive(box.high), outliers);
        item->setWidth(0.62);
        item->setBrush(barBrush(box.color, box.modelled));
        item->setPen(marked ? QPen(t.accent, 2.5) : QPen(box.color.darker(115), 1));
        item->setMedianPen(QPen(t.text, 2.4));
        item->setWhiskerPen(QPen(t.mutedText, 1));
        item->setWhiskerBarPen(QPen(t.mutedText, 1));
        item->setOutlierStyle(QCPScatterStyle(QCPScatterStyle::ssCircle, box.color, Qt::NoBrush, 4));
        item->removeFromLegend();
        names->addTick(i, metrics.elidedText(box.label, Qt::ElideMiddle, std::min(kLabelPixels, width() / 3)));
        least = std::min(least, positive(box.low));
        most = std::max(most, positive(box.high));
    }
    plot_->yAxis->setTicker(names);
    plot_->yAxis->setTickLength(0, 0);
    plot_->yAxis->grid()->setVisible(false);
    plot_->yAxis->setRangeReversed(true);
    plot_->yAxis->setRange(-0.6, std::max(2.4, shown_ - 0.4));
    plot_->xAxis->setScaleType(QCPAxis::stLogarithmic);
    plot_->xAxis->setTicker(QSharedPointer<LogTicker>::create(durationText));
    plot_->xAxis->setRange(decadeBelow(least), decadeAbove(most));
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

void BoxPlot::resizeEvent(QResizeEvent* event) {
    PlotWidget::resizeEvent(event);
    rebuild();
}

int BoxPlot::boxAt(double pixelY) const {
    const int box = static_cast<int>(std::lround(plot_->yAxis->pixelToCoord(pixelY)));
    return box >= 0 && box < shown_ ? box : -1;
}

QPoint BoxPlot::positionOf(int box) const {
    return {static_cast<int>(plot_->xAxis->coordToPixel(std::max(1.0, boxes_[box].median))),
            static_cast<int>(plot_->yAxis->coordToPixel(box))};
}

void BoxPlot::click(const QPointF& pixel) {
    const int box = boxAt(pixel.y());
    if (box >= 0 && !boxes_[box].target.isNone()) {
        emit chosen(boxes_[box].target);
    }
}

QString BoxPlot::textAt(const QPoint& pixel) const {
    const int at = boxAt(pixel.y());
    if (at < 0) {
        return {};
    }
    const Box& box = boxes_[at];
    return tr("%1%2\nmedian %3, half of them between %4 and %5\nwhiskers %6 to %7, %8 of %9 beyond them")
        .arg(box.label, box.modelled ? tr(" (modelled)") : QString(), durationText(box.median), durationText(box.q1),
             durationText(box.q3), durationText(box.low), durationText(box.high), integerText(box.outside),
             integerText(box.calls));
}

}  // namespace fusescope::gui
