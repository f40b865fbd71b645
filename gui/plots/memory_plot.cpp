#include "gui/plots/memory_plot.hpp"

#include <qcustomplot.h>

#include <QMouseEvent>
#include <algorithm>
#include <cmath>
#include <utility>

#include "gui/app/theme.hpp"
#include "gui/plots/plot_style.hpp"
#include "gui/widgets/format.hpp"

namespace fusescope::gui {

namespace {

constexpr double kClickPixels = 4;  // farther, and the mouse has dragged

// Ticks at powers of two, as befits bytes.
class BytesTicker : public QCPAxisTicker {
 protected:
    double getTickStep(const QCPRange& range) override {
        return std::exp2(std::ceil(std::log2(std::max(range.size() / tickCount(), 1.0))));
    }
    int getSubTickCount(double) override { return 1; }
    QString getTickLabel(double tick, const QLocale&, QChar, int) override { return bytesText(tick); }
};

class TimeTicker : public QCPAxisTicker {
 protected:
    double getTickStep(const QCPRange& range) override { return step_ = QCPAxisTicker::getTickStep(range); }
    QString getTickLabel(double tick, const QLocale&, QChar, int) override { return axisTimeText(tick, step_); }

 private:
    double step_ = 1;
};

QColor colorOf(int series) {
    const Theme& t = theme();
    const QColor colors[] = {t.related, t.host, t.transfer};
    return colors[series % 3];
}

}  // namespace

MemoryPlot::MemoryPlot(QWidget* parent) : PlotWidget(tr("Live memory over time"), parent) {
    plot_->setMinimumSize(120, 60);
    plot_->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    plot_->axisRect()->setRangeDrag(Qt::Horizontal);
    plot_->axisRect()->setRangeZoom(Qt::Horizontal);
    rebuild();
}

void MemoryPlot::setSeries(QVector<Series> series) {
    series_ = std::move(series);
    rebuild();
}

void MemoryPlot::setCurrent(int series, double time) {
    current_ = series;
    time_ = time;
    rebuild();
}

double MemoryPlot::positionOf(double time) const { return plot_->xAxis->coordToPixel(time); }

void MemoryPlot::draw() {
    const Theme& t = theme();
    const bool fresh = !std::exchange(ranged_, !series_.isEmpty());
    const QCPRange before = plot_->xAxis->range();
    for (QCPAxis* axis : {plot_->xAxis, plot_->yAxis}) {
        axis->setVisible(!series_.isEmpty());
    }
    plot_->legend->setVisible(series_.size() > 1);
    plot_->axisRect()->insetLayout()->setInsetAlignment(0, Qt::AlignBottom | Qt::AlignRight);
    if (series_.isEmpty()) {
        showText(tr("No memory was recorded in this run."));
        return;
    }
    double first = INFINITY, last = 0, most = 1;
    for (const auto& series : std::as_const(series_)) {
        first = std::min(first, series.times.front());
        last = std::max(last, series.times.back());
        most = std::max(most, *std::max_element(series.bytes.begin(), series.bytes.end()));
    }
    for (int i = 0; i < series_.size(); ++i) {
        auto* graph = plot_->addGraph();
        graph->setName(series_[i].name);
        graph->setLineStyle(QCPGraph::lsStepLeft);
        graph->setPen(QPen(colorOf(i), i == current_ ? 2.2 : 1.4));
        if (i == current_) {
            QColor fill = colorOf(i);
            fill.setAlpha(55);
            graph->setBrush(fill);
        }
        QVector<double> times = series_[i].times, bytes = series_[i].bytes;
        times.push_back(last);  // what is live at the end stays so
        bytes.push_back(bytes.back());
        graph->setData(times, bytes, true);
    }
    if (current_ >= 0) {
        auto* mark = new QCPItemStraightLine(plot_);
        mark->setPen(QPen(t.accent, 1.8));
        mark->point1->setCoords(time_, 0);
        mark->point2->setCoords(time_, most);
    }
    auto bytes = QSharedPointer<BytesTicker>::create();
    bytes->setTickCount(std::clamp(height() / 45, 2, 6));
    plot_->yAxis->setTicker(bytes);
    plot_->yAxis->setRange(0, most * 1.08);
    auto ticks = QSharedPointer<TimeTicker>::create();
    ticks->setTickCount(std::clamp(width() / 120, 2, 8));
    plot_->xAxis->setTicker(ticks);
    const QCPRange whole(first - std::max(1.0, (last - first) * 0.01), last + std::max(1.0, (last - first) * 0.01));
    // Choosing a moment does not undo the user's zoom.
    plot_->xAxis->setRange(fresh || before.upper < whole.lower || before.lower > whole.upper ? whole : before);
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

void MemoryPlot::resizeEvent(QResizeEvent* event) {
    PlotWidget::resizeEvent(event);
    rebuild();
}

bool MemoryPlot::eventFilter(QObject* watched, QEvent* event) {
    if (watched == plot_ && event->type() == QEvent::MouseButtonPress) {
        pressed_ = static_cast<QMouseEvent*>(event)->position();
    }
    return PlotWidget::eventFilter(watched, event);
}

void MemoryPlot::click(const QPointF& pixel) {
    const QPointF moved = pixel - pressed_;
    if (!series_.isEmpty() && std::hypot(moved.x(), moved.y()) < kClickPixels) {
        emit momentChosen(plot_->xAxis->pixelToCoord(pixel.x()));
    }
}

QString MemoryPlot::textAt(const QPoint& pixel) const {
    if (series_.isEmpty()) {
        return {};
    }
    const double time = plot_->xAxis->pixelToCoord(pixel.x());
    QStringList lines{tr("at %1").arg(durationText(time))};
    for (const auto& series : series_) {
        const auto after = std::upper_bound(series.times.begin(), series.times.end(), time) - series.times.begin();
        lines << tr("%1: %2").arg(series.name, bytesText(after > 0 ? series.bytes[after - 1] : 0));
    }
    return lines.join('\n');
}

}  // namespace fusescope::gui
