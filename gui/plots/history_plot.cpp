#include "gui/plots/history_plot.hpp"

#include <qcustomplot.h>

#include <QHelpEvent>
#include <algorithm>
#include <cmath>
#include <limits>

#include "gui/app/theme.hpp"
#include "gui/plots/plot_style.hpp"

namespace fusescope::gui {

HistoryPlot::HistoryPlot(QWidget* parent) : PlotWidget(tr("History of the tensor"), parent) {
    plot_->setMinimumSize(120, 80);
}

void HistoryPlot::setPoints(QVector<Point> points) {
    points_ = std::move(points);
    bySteps_ = points_.size() > 1;
    for (int i = 1; i < points_.size(); ++i) {
        bySteps_ = bySteps_ && points_[i].step > points_[i - 1].step;
    }
    rebuild();
}

void HistoryPlot::setCurrent(int point) {
    current_ = point;
    rebuild();
}

double HistoryPlot::keyOf(int point) const {
    return bySteps_ ? static_cast<double>(points_[point].step) : static_cast<double>(point + 1);
}

int HistoryPlot::nearest(double key) const {
    int best = -1;
    for (int i = 0; i < points_.size(); ++i) {
        if (best < 0 || std::fabs(keyOf(i) - key) < std::fabs(keyOf(best) - key)) {
            best = i;
        }
    }
    return best;
}

QPoint HistoryPlot::positionOf(int point) const {
    return plot_->mapTo(
        this, QPointF(plot_->xAxis->coordToPixel(keyOf(point)), plot_->yAxis->axisRect()->center().y()).toPoint());
}

void HistoryPlot::draw() {
    const Theme& t = theme();
    plot_->legend->setVisible(false);
    plot_->xAxis->setLabel(bySteps_ ? tr("step") : tr("run of the op"));
    QVector<double> keys, low, mean, high, badKeys, badValues;
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (int i = 0; i < points_.size(); ++i) {
        const Point& p = points_[i];
        if (p.known) {
            keys << keyOf(i);
            low << p.min;
            mean << p.mean;
            high << p.max;
            least = std::min(least, p.min);
            most = std::max(most, p.max);
        }
    }
    if (keys.isEmpty()) {
        least = 0;
        most = 1;
    }
    const double room = most > least ? (most - least) * 0.06 : std::max(std::fabs(most), 1e-30) * 0.1;
    for (int i = 0; i < points_.size(); ++i) {
        if (points_[i].bad > 0) {
            badKeys << keyOf(i);
            badValues << (points_[i].known ? points_[i].mean : least);
        }
    }
    const bool few = keys.size() < 3;
    auto* bottom = plot_->addGraph();
    bottom->setData(keys, low, true);
    bottom->setPen(QPen(t.device, 1));
    auto* top = plot_->addGraph();
    top->setData(keys, high, true);
    top->setPen(QPen(t.device, 1));
    QColor band = t.device;
    band.setAlpha(60);
    top->setBrush(band);
    top->setChannelFillGraph(bottom);
    auto* line = plot_->addGraph();
    line->setData(keys, mean, true);
    line->setPen(QPen(t.text, 1.6));
    if (few) {
        for (auto* graph : {bottom, top, line}) {
            graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, 6));
        }
    }
    auto* bad = plot_->addGraph();
    bad->setData(badKeys, badValues, true);
    bad->setLineStyle(QCPGraph::lsNone);
    bad->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCross, QPen(t.error, 2), QBrush(), 9));
    if (current_ >= 0 && current_ < points_.size()) {
        auto* mark = new QCPItemStraightLine(plot_);
        mark->setPen(QPen(t.accent, 1.6));
        mark->point1->setCoords(keyOf(current_), least);
        mark->point2->setCoords(keyOf(current_), most + room);
    }
    const double first = points_.isEmpty() ? 0 : keyOf(0),
                 last = points_.isEmpty() ? 1 : keyOf(static_cast<int>(points_.size()) - 1);
    const double side = last > first ? (last - first) * 0.02 : 1;
    plot_->xAxis->setRange(first - side, last + side);
    plot_->yAxis->setRange(least - room, most + room);
    auto ticks = plot_->xAxis->ticker();
    ticks->setTickCount(std::clamp(width() / 80, 2, 8));
    // Steps and runs are whole.
    if (last - first < 8) {
        auto whole = QSharedPointer<QCPAxisTickerFixed>::create();
        whole->setTickStep(1);
        plot_->xAxis->setTicker(whole);
    } else {
        plot_->xAxis->setTicker(QSharedPointer<QCPAxisTicker>::create());
    }
    plot_->xAxis->setNumberFormat(QStringLiteral("f"));
    plot_->xAxis->setNumberPrecision(0);
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

void HistoryPlot::click(const QPointF& pixel) {
    if (!points_.isEmpty()) {
        emit pointChosen(nearest(plot_->xAxis->pixelToCoord(pixel.x())));
    }
}

QString HistoryPlot::textAt(const QPoint& pixel) const {
    if (points_.isEmpty()) {
        return {};
    }
    const int at = nearest(plot_->xAxis->pixelToCoord(pixel.x()));
    const Point& p = points_[at];
    QString text = bySteps_ ? tr("step %1").arg(p.step) : tr("run %1, step %2").arg(at + 1).arg(p.step);
    if (p.known) {
        text += QStringLiteral("\n") +
                tr("%1 to %2, mean %3").arg(p.min, 0, 'g', 6).arg(p.max, 0, 'g', 6).arg(p.mean, 0, 'g', 6);
    }
    if (p.bad > 0) {
        text += QStringLiteral("\n") + tr("%1 NaN or Inf").arg(p.bad);
    }
    return text;
}

}  // namespace fusescope::gui
