// Sizes of transfers span nine orders of magnitude, so that axis is logarithmic.
#include "gui/plots/transfer_plot.hpp"

#include <qcustomplot.h>

#include <QMouseEvent>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "gui/app/theme.hpp"
#include "gui/plots/plot_style.hpp"
#include "gui/widgets/format.hpp"

namespace fusescope::gui {

namespace {

constexpr double kReachPixels = 10;

class TimeTicker : public QCPAxisTicker {
 protected:
    double getTickStep(const QCPRange& range) override { return step_ = QCPAxisTicker::getTickStep(range); }
    QString getTickLabel(double tick, const QLocale&, QChar, int) override { return axisTimeText(tick, step_); }

 private:
    double step_ = 1;
};

// A tick at every power of 32 bytes or so: 1 B, 32 B, 1 KiB, 32 KiB, 1 MiB.
class BytesTicker : public QCPAxisTickerLog {
 public:
    BytesTicker() {
        setLogBase(32);
        setSubTickCount(0);
    }

 protected:
    QString getTickLabel(double tick, const QLocale&, QChar, int) override { return bytesText(std::round(tick)); }
};

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

TransferPlot::TransferPlot(QWidget* parent) : PlotWidget(tr("Transfers over time"), parent) {
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
    marked_ = transfers;
    rebuild();
}

void TransferPlot::rebuild() {
    if (!isVisible()) {
        return;  // showEvent does it
    }
    const Theme& t = theme();
    plot_->clearPlottables();
    plot_->clearItems();
    stylePlot(*plot_);
    const bool empty = points_.isEmpty();
    plot_->xAxis->setVisible(!empty);
    plot_->yAxis->setVisible(!empty);
    plot_->legend->setVisible(!empty);
    if (empty) {
        auto* text = new QCPItemText(plot_);
        text->position->setType(QCPItemPosition::ptAxisRectRatio);
        text->position->setCoords(0.5, 0.5);
        text->setText(tr("No transfers were recorded."));
        text->setColor(t.mutedText);
        plot_->replot(QCustomPlot::rpQueuedReplot);
        return;
    }
    double least = INFINITY, most = 1, first = INFINITY, last = 0;
    for (const auto& point : points_) {
        least = std::min(least, std::max(1.0, point.bytes));
        most = std::max(most, point.bytes);
        first = std::min(first, point.timeNs);
        last = std::max(last, point.timeNs);
    }
    for (const QString& kind : {QStringLiteral("h2d"), QStringLiteral("d2h"), QStringLiteral("d2d")}) {
        for (const bool modelled : {false, true}) {
            QVector<double> times, sizes;
            for (const auto& point : points_) {
                if (point.kind == kind && point.modelled == modelled) {
                    times.push_back(point.timeNs);
                    sizes.push_back(std::max(1.0, point.bytes));
                }
            }
            if (times.isEmpty()) {
                continue;
            }
            QCPGraph* graph = plot_->addGraph();
            graph->setLineStyle(QCPGraph::lsNone);
            // Hollow for modelled, as bars are hatched.
            graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(kindColor(kind), 1.4),
                                                   modelled ? QBrush(t.background) : QBrush(kindColor(kind)), 7));
            graph->setName(kindText(kind) + (modelled ? tr(" (modelled)") : QString()));
            graph->setData(times, sizes);
        }
    }
    if (!marked_.isEmpty()) {
        QVector<double> times, sizes;
        for (const auto& point : points_) {
            if (marked_.contains(point.id)) {
                times.push_back(point.timeNs);
                sizes.push_back(std::max(1.0, point.bytes));
            }
        }
        QCPGraph* graph = plot_->addGraph();
        graph->setLineStyle(QCPGraph::lsNone);
        graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(t.accent, 2.2), Qt::NoBrush, 12));
        graph->removeFromLegend();
        graph->setData(times, sizes);
    }
    plot_->yAxis->setScaleType(QCPAxis::stLogarithmic);
    plot_->yAxis->setTicker(QSharedPointer<BytesTicker>::create());
    // Wide enough for two ticks of the logarithmic scale also when all transfers are of one size.
    plot_->yAxis->setRange(least / 4, std::max(most * 12, least * 1100));
    auto ticker = QSharedPointer<TimeTicker>::create();
    ticker->setTickCount(std::clamp(width() / 120, 2, 6));
    plot_->xAxis->setTicker(ticker);
    const double margin = std::max(1.0, (last - first) * 0.04);
    plot_->xAxis->setRange(first - margin, last + margin);
    plot_->legend->setBorderPen(Qt::NoPen);
    plot_->legend->setBrush(Qt::NoBrush);
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

int TransferPlot::pointAt(const QPointF& pixel) const {
    int best = -1;
    double distance = kReachPixels;
    for (int i = 0; i < points_.size(); ++i) {
        const double x = plot_->xAxis->coordToPixel(points_[i].timeNs) - pixel.x();
        const double y = plot_->yAxis->coordToPixel(std::max(1.0, points_[i].bytes)) - pixel.y();
        if (std::hypot(x, y) < distance) {
            distance = std::hypot(x, y);
            best = i;
        }
    }
    return best;
}

bool TransferPlot::eventFilter(QObject* watched, QEvent* event) {
    if (watched == plot_ && event->type() == QEvent::MouseButtonRelease) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        const int point = pointAt(mouse->position());
        if (mouse->button() == Qt::LeftButton && point >= 0) {
            emit chosen(Selection::transfer(points_[point].id));
        }
    } else if (watched == plot_ && event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int at = pointAt(help->pos());
        if (at >= 0) {
            const auto& point = points_[at];
            QToolTip::showText(help->globalPos(),
                               tr("%1, %2\n%3 in %4%5")
                                   .arg(kindText(point.kind), reasonText(point.reason), bytesText(point.bytes),
                                        durationText(point.durationNs), point.modelled ? tr(" (modelled)") : QString()),
                               plot_);
        }
        return true;
    }
    return PlotWidget::eventFilter(watched, event);
}

}  // namespace fusescope::gui
