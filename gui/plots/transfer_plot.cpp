// Sizes of transfers and their bandwidths span nine orders of magnitude, so that those axes are logarithmic.
#include "gui/plots/transfer_plot.hpp"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

#include "gui/app/theme.hpp"
#include "gui/plots/log_ticker.hpp"
#include "gui/plots/plot_style.hpp"
#include "gui/widgets/format.hpp"

namespace fusescope::gui {

namespace {

constexpr double kReachPixels = 10;
constexpr qsizetype kManyPoints =
    4000;  // of so many small squares are drawn, which take a tenth of the time of circles

class TimeTicker : public QCPAxisTicker {
 protected:
    double getTickStep(const QCPRange& range) override { return step_ = QCPAxisTicker::getTickStep(range); }
    QString getTickLabel(double tick, const QLocale&, QChar, int) override { return axisTimeText(tick, step_); }

 private:
    double step_ = 1;
};

// A tick at every power of 32 bytes or so: 1 B, 32 B, 1 KiB, 32 KiB, 1 MiB.
constexpr double kBytesBase = 32;

QString roundBytes(double bytes) { return bytesText(std::round(bytes)); }
QString bandwidthText(double bytesPerSecond) { return TransferPlot::tr("%1/s").arg(bytesText(bytesPerSecond)); }

}  // namespace

QString TransferPlot::kindText(const QString& kind) {
    return kind == "h2d" ? tr("host to device") : kind == "d2h" ? tr("device to host") : tr("device to device");
}

QString TransferPlot::reasonText(const QString& reason) {
    if (reason == "input") {
        return tr("tensor from host data");
    }
    if (reason == "parameter") {
        return tr("parameter upload");
    }
    if (reason == "read_back") {
        return tr("read back by Python");
    }
    if (reason == "print") {
        return tr("printed");
    }
    if (reason == "graph_break") {
        return tr("graph break");
    }
    return reason == "fallback" ? tr("op ran on the CPU") : reason;
}

QColor TransferPlot::kindColor(const QString& kind) {
    const Theme& t = theme();
    return kind == "h2d" ? t.transfer : kind == "d2h" ? t.related : t.host;
}

TransferPlot::TransferPlot(QWidget* parent) : PlotWidget(tr("Transfers"), parent) {
    plot_->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    plot_->axisRect()->setRangeDrag(Qt::Horizontal);
    plot_->axisRect()->setRangeZoom(Qt::Horizontal);
    // The legend goes above the plot, where it hides no dot.
    plot_->plotLayout()->insertRow(0);
    plot_->plotLayout()->addElement(0, 0, plot_->legend);
    plot_->plotLayout()->setRowStretchFactor(0, 0.001);
    plot_->legend->setFillOrder(QCPLegend::foColumnsFirst);
    plot_->setMinimumSize(120, 60);
    rebuild();
}

void TransferPlot::setPoints(QVector<Point> points) {
    points_ = std::move(points);
    rebuild();
}

void TransferPlot::setMarked(const QSet<qint64>& transfers) {
    if (transfers == marked_) {
        return;
    }
    marked_ = transfers;
    rebuild();
}

void TransferPlot::setAxes(Axes axes) {
    axes_ = axes;
    rebuild();
}

double TransferPlot::xOf(const Point& point) const {
    return axes_ == Axes::SizeOverTime ? point.timeNs : std::max(1.0, point.bytes);
}

double TransferPlot::yOf(const Point& point) const {
    const double bytes = std::max(1.0, point.bytes);
    return axes_ == Axes::SizeOverTime ? bytes : bytes / std::max(1.0, point.durationNs) * 1e9;
}

QPointF TransferPlot::positionOf(int point) const {
    return {plot_->xAxis->coordToPixel(xOf(points_[point])), plot_->yAxis->coordToPixel(yOf(points_[point]))};
}

void TransferPlot::draw() {
    const Theme& t = theme();
    const bool empty = points_.isEmpty();
    plot_->xAxis->setVisible(!empty);
    plot_->yAxis->setVisible(!empty);
    plot_->legend->setVisible(!empty);
    if (empty) {
        showText(tr("No transfers were recorded."));
        return;
    }
    double least = INFINITY, most = 1, first = INFINITY, last = 0;
    for (const auto& point : points_) {
        least = std::min(least, yOf(point));
        most = std::max(most, yOf(point));
        first = std::min(first, xOf(point));
        last = std::max(last, xOf(point));
    }
    for (const QString& kind : {QStringLiteral("h2d"), QStringLiteral("d2h"), QStringLiteral("d2d")}) {
        for (const bool modelled : {false, true}) {
            QVector<double> times, sizes;
            for (const auto& point : points_) {
                if (point.kind == kind && point.modelled == modelled) {
                    times.push_back(xOf(point));
                    sizes.push_back(yOf(point));
                }
            }
            if (times.isEmpty()) {
                continue;
            }
            QCPGraph* graph = plot_->addGraph();
            graph->setLineStyle(QCPGraph::lsNone);
            // Hollow for modelled, as bars are hatched.
            const bool many = points_.size() > kManyPoints;
            graph->setAntialiasedScatters(!many);
            graph->setScatterStyle(QCPScatterStyle(
                many ? QCPScatterStyle::ssSquare : QCPScatterStyle::ssCircle, QPen(kindColor(kind), many ? 1 : 1.4),
                modelled ? QBrush(t.background) : QBrush(kindColor(kind)), many ? 4 : 7));
            graph->setName(kindText(kind) + (modelled ? tr(" (modelled)") : QString()));
            graph->setData(times, sizes);
        }
    }
    if (!marked_.isEmpty()) {
        QVector<double> times, sizes;
        for (const auto& point : points_) {
            if (marked_.contains(point.id)) {
                times.push_back(xOf(point));
                sizes.push_back(yOf(point));
            }
        }
        QCPGraph* graph = plot_->addGraph();
        graph->setLineStyle(QCPGraph::lsNone);
        graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(t.accent, 2.2), Qt::NoBrush, 12));
        graph->removeFromLegend();
        graph->setData(times, sizes);
    }
    const bool overTime = axes_ == Axes::SizeOverTime;
    plot_->yAxis->setScaleType(QCPAxis::stLogarithmic);
    plot_->xAxis->setScaleType(overTime ? QCPAxis::stLinear : QCPAxis::stLogarithmic);
    plot_->xAxis->setLabel(overTime ? QString() : tr("size of the transfer"));
    plot_->axisRect()->setRangeDrag(overTime ? Qt::Horizontal : Qt::Horizontal | Qt::Vertical);
    plot_->axisRect()->setRangeZoom(overTime ? Qt::Horizontal : Qt::Horizontal | Qt::Vertical);
    plot_->yAxis->setTicker(QSharedPointer<LogTicker>::create(overTime ? roundBytes : bandwidthText, kBytesBase));
    // Wide enough for two ticks of a logarithmic scale also when all transfers are of one size.
    plot_->yAxis->setRange(least / 4, std::max(most * 12, least * 1100));
    if (overTime) {
        auto ticker = QSharedPointer<TimeTicker>::create();
        ticker->setTickCount(std::clamp(width() / 120, 2, 6));
        plot_->xAxis->setTicker(ticker);
        const double margin = std::max(1.0, (last - first) * 0.04);
        plot_->xAxis->setRange(first - margin, last + margin);
    } else {
        plot_->xAxis->setTicker(QSharedPointer<LogTicker>::create(roundBytes, kBytesBase));
        plot_->xAxis->setRange(first / 4, std::max(last * 4, first * 1100));
    }
    plot_->legend->setBorderPen(Qt::NoPen);
    plot_->legend->setBrush(Qt::NoBrush);
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

int TransferPlot::pointAt(const QPointF& pixel) const {
    int best = -1;
    double distance = kReachPixels;
    for (int i = 0; i < points_.size(); ++i) {
        const double x = plot_->xAxis->coordToPixel(xOf(points_[i])) - pixel.x();
        const double y = plot_->yAxis->coordToPixel(yOf(points_[i])) - pixel.y();
        if (std::hypot(x, y) < distance) {
            distance = std::hypot(x, y);
            best = i;
        }
    }
    return best;
}

void TransferPlot::click(const QPointF& pixel) {
    if (const int point = pointAt(pixel); point >= 0) {
        emit chosen(Selection::transfer(points_[point].id));
    }
}

QString TransferPlot::textAt(const QPoint& pixel) const {
    const int at = pointAt(pixel);
    if (at < 0) {
        return {};
    }
    const auto& point = points_[at];
    return tr("%1, %2\n%3 in %4%5, %6")
        .arg(kindText(point.kind), reasonText(point.reason), bytesText(point.bytes), durationText(point.durationNs),
             point.modelled ? tr(" (modelled)") : QString(),
             bandwidthText(point.bytes / std::max(1.0, point.durationNs) * 1e9));
}

}  // namespace fusescope::gui
