#include "gui/plots/roofline_plot.hpp"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gui/app/theme.hpp"
#include "gui/plots/log_ticker.hpp"
#include "gui/plots/plot_style.hpp"
#include "gui/widgets/format.hpp"

namespace fusescope::gui {

namespace {

constexpr double kReachPixels = 12;

QString rateText(double flopsPerSecond) { return RooflinePlot::tr("%1FLOP/s").arg(countText(flopsPerSecond)); }
QString intensityText(double flopsPerByte) { return QString::number(flopsPerByte, 'g', 3); }

// As wide as the share of the time: what takes long is seen first.
double sizeOf(const RooflinePlot::Point& point) { return 6 + 22 * std::sqrt(std::clamp(point.share, 0.0, 1.0)); }

}  // namespace

RooflinePlot::RooflinePlot(QWidget* parent) : PlotWidget(tr("Roofline"), parent) {
    plot_->setMinimumSize(120, 60);
    plot_->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    rebuild();
}

void RooflinePlot::setPoints(QVector<Point> points) {
    points.erase(std::remove_if(points.begin(), points.end(),
                                [](const Point& p) { return p.flops <= 0 || p.bytes <= 0 || p.ns <= 0; }),
                 points.end());
    points_ = std::move(points);
    rebuild();
}

void RooflinePlot::setMarked(std::function<bool(const Point&)> marked) {
    marked_ = std::move(marked);
    rebuild();
}

RooflinePlot::Roof RooflinePlot::roof(bool modelled) const {
    Roof best;
    for (const auto& point : points_) {
        if (point.modelled == modelled) {
            best.bytesPerSecond = std::max(best.bytesPerSecond, point.bytesPerSecond());
            best.flopsPerSecond = std::max(best.flopsPerSecond, point.flopsPerSecond());
        }
    }
    return best;
}

void RooflinePlot::drawRoof(bool modelled, double from, double to) {
    const Roof best = roof(modelled);
    if (best.flopsPerSecond <= 0) {
        return;
    }
    const Theme& t = theme();
    const double ridge = best.flopsPerSecond / best.bytesPerSecond;
    auto* graph = plot_->addGraph();
    graph->setPen(QPen(t.mutedText, 1.6, modelled ? Qt::DashLine : Qt::SolidLine));
    graph->setName(modelled ? tr("highest modelled") : tr("highest measured"));
    QVector<double> x{from}, y{from * best.bytesPerSecond};
    if (ridge > from) {
        x << ridge;
        y << best.flopsPerSecond;
    } else {
        y[0] = best.flopsPerSecond;
    }
    x << std::max(to, ridge);
    y << best.flopsPerSecond;
    graph->setData(x, y, true);
    const auto write = [&](double at, double height, Qt::Alignment alignment, const QString& words) {
        auto* text = new QCPItemText(plot_);
        text->position->setCoords(at, height);
        text->setPositionAlignment(alignment);
        text->setText(words + (modelled ? tr(" (modelled)") : QString()));
        text->setColor(t.mutedText);
        text->setFont(font());
        text->setPadding(QMargins(4, 2, 4, 2));
        text->setClipToAxisRect(true);
    };
    write(std::max(to, ridge), best.flopsPerSecond, Qt::AlignRight | Qt::AlignTop,
          tr("best seen: %1").arg(rateText(best.flopsPerSecond)));
    if (ridge > from) {
        const double middle = std::sqrt(from * std::min(ridge, to));
        write(middle, middle * best.bytesPerSecond, Qt::AlignRight | Qt::AlignBottom,
              tr("best seen: %1/s").arg(bytesText(best.bytesPerSecond)));
    }
}

void RooflinePlot::draw() {
    const Theme& t = theme();
    plot_->legend->setVisible(false);
    for (QCPAxis* axis : {plot_->xAxis, plot_->yAxis}) {
        axis->setVisible(!points_.isEmpty());
    }
    if (points_.isEmpty()) {
        showText(tr("No op with FLOPs was timed in this run."));
        return;
    }
    double left = INFINITY, right = 0, bottom = INFINITY, top = 0;
    for (const auto& point : points_) {
        left = std::min(left, point.intensity());
        right = std::max(right, point.intensity());
        bottom = std::min(bottom, point.flopsPerSecond());
        top = std::max(top, point.flopsPerSecond());
    }
    const double from = decadeBelow(left), to = decadeAbove(right * 2);
    drawRoof(false, from, to);
    drawRoof(true, from, to);
    QVector<int> order(points_.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [this](int a, int b) { return points_[a].share > points_[b].share; });
    for (const int i : std::as_const(order)) {
        const Point& point = points_[i];
        const bool marked = marked_ && marked_(point);
        auto* graph = plot_->addGraph();
        graph->setLineStyle(QCPGraph::lsNone);
        QColor fill = point.color;
        fill.setAlpha(point.modelled ? 50 : 170);  // hollow for modelled, nearly
        graph->setScatterStyle(QCPScatterStyle(
            QCPScatterStyle::ssCircle, QPen(marked ? t.accent : point.color, marked ? 2.6 : 1.4), fill, sizeOf(point)));
        graph->setData({point.intensity()}, {point.flopsPerSecond()}, true);
    }
    for (QCPAxis* axis : {plot_->xAxis, plot_->yAxis}) {
        axis->setScaleType(QCPAxis::stLogarithmic);
    }
    plot_->xAxis->setTicker(QSharedPointer<LogTicker>::create(intensityText));
    plot_->yAxis->setTicker(QSharedPointer<LogTicker>::create(rateText));
    plot_->yAxis->ticker()->setTickCount(std::clamp(height() / 50, 1, 8));
    plot_->xAxis->setLabel(tr("FLOPs by byte of memory read or written"));
    plot_->xAxis->setRange(from, to);
    plot_->yAxis->setRange(decadeBelow(bottom), decadeAbove(top * 1.5));
    plot_->replot(QCustomPlot::rpImmediateRefresh);  // now the axes know where things lie
    writeNames(order);
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

// What is marked first, then what takes longest, as long as there is room.
void RooflinePlot::writeNames(QVector<int> order) {
    std::stable_partition(order.begin(), order.end(), [this](int i) { return marked_ && marked_(points_[i]); });
    QVector<QRectF> taken;
    for (int i = 0; i < plot_->itemCount(); ++i) {
        if (auto* roof = qobject_cast<QCPItemText*>(plot_->item(i))) {
            taken.push_back(QRectF(roof->topLeft->pixelPosition(), roof->bottomRight->pixelPosition()).normalized());
        }
    }
    const QRectF area = plot_->axisRect()->rect();
    for (const int i : std::as_const(order)) {
        const Point& point = points_[i];
        const QString name = fontMetrics().elidedText(point.label, Qt::ElideMiddle, 150);
        const double gap = sizeOf(point) / 2 + 4, length = fontMetrics().horizontalAdvance(name);
        const double tall = fontMetrics().height();
        const QPointF at = positionOf(i);
        // At the right of its dot, or else at the left.
        for (const double left : {at.x() + gap, at.x() - gap - length}) {
            const QRectF place(left, at.y() - tall / 2, length, tall);
            if (!area.contains(place) || std::any_of(taken.begin(), taken.end(), [&place](const QRectF& other) {
                    return other.intersects(place);
                })) {
                continue;
            }
            taken.push_back(place);
            auto* text = new QCPItemText(plot_);
            text->setPositionAlignment(Qt::AlignLeft | Qt::AlignVCenter);
            // By the axes, so that it follows when the user zooms.
            text->position->setCoords(plot_->xAxis->pixelToCoord(left), point.flopsPerSecond());
            text->setText(name);
            text->setColor(marked_ && marked_(point) ? theme().text : theme().mutedText);
            text->setFont(font());
            text->setClipToAxisRect(true);
            break;
        }
    }
}

void RooflinePlot::resizeEvent(QResizeEvent* event) {
    PlotWidget::resizeEvent(event);
    rebuild();
}

QPointF RooflinePlot::positionOf(int point) const {
    return {plot_->xAxis->coordToPixel(points_[point].intensity()),
            plot_->yAxis->coordToPixel(points_[point].flopsPerSecond())};
}

int RooflinePlot::pointAt(const QPointF& pixel) const {
    int best = -1;
    double distance = kReachPixels;
    for (int i = 0; i < points_.size(); ++i) {
        const QPointF away = positionOf(i) - pixel;
        const double length = std::hypot(away.x(), away.y());
        if (length < distance) {
            distance = length;
            best = i;
        }
    }
    return best;
}

void RooflinePlot::click(const QPointF& pixel) {
    const int at = pointAt(pixel);
    if (at >= 0 && !points_[at].target.isNone()) {
        emit chosen(points_[at].target);
    }
}

QString RooflinePlot::textAt(const QPoint& pixel) const {
    const int at = pointAt(pixel);
    if (at < 0) {
        return {};
    }
    const Point& point = points_[at];
    return tr("%1\n%2%3, %4 of the op time\n%5, %6/s, %7 FLOPs by byte")
        .arg(point.label, durationText(point.ns), point.modelled ? tr(" (modelled)") : QString(),
             percentText(point.share), rateText(point.flopsPerSecond()), bytesText(point.bytesPerSecond()),
             intensityText(point.intensity()));
}

}  // namespace fusescope::gui
