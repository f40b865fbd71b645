#include "gui/plots/step_plot.hpp"

#include <qcustomplot.h>

#include <QMouseEvent>
#include <algorithm>
#include <cmath>

#include "gui/app/theme.hpp"
#include "gui/plots/log_ticker.hpp"
#include "gui/plots/plot_style.hpp"
#include "gui/widgets/format.hpp"

namespace fusescope::gui {

namespace {

constexpr int kMostLines = 6;
constexpr int kMostMarked = 4;
constexpr double kFarApart = 20;  // the longest and the middle one; beyond that the axis is logarithmic
constexpr double kReachPixels = 14;
constexpr int kFewPoints = 40;  // that many are drawn as dots, too

class DurationTicker : public QCPAxisTicker {
 protected:
    QString getTickLabel(double tick, const QLocale&, QChar, int) override { return durationText(tick); }
};

}  // namespace

StepPlot::StepPlot(QWidget* parent) : PlotWidget(tr("Time of each op over the steps"), parent) {
    plot_->setMinimumSize(120, 60);
    plot_->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    plot_->axisRect()->setRangeDrag(Qt::Horizontal);
    plot_->axisRect()->setRangeZoom(Qt::Horizontal);
    legendAtRight();
    rebuild();
}

void StepPlot::setLines(QVector<Line> lines) {
    lines_ = std::move(lines);
    rebuild();
}

void StepPlot::setMarked(std::function<bool(const Line&)> marked) {
    marked_ = std::move(marked);
    rebuild();
}

void StepPlot::draw() {
    const Theme& t = theme();
    drawn_.clear();
    QVector<int> marked;
    bool anySteps = false;
    for (int i = 0; i < lines_.size(); ++i) {
        anySteps = anySteps || lines_[i].steps.size() > 1;
        if (marked_ && marked_(lines_[i]) && marked.size() < kMostMarked) {
            marked.push_back(i);
        }
    }
    for (int i = 0; i < lines_.size() && drawn_.size() < kMostLines; ++i) {
        drawn_.push_back(i);
    }
    for (const int i : std::as_const(marked)) {
        if (!drawn_.contains(i)) {
            drawn_.push_back(i);
        }
    }
    for (QCPAxis* axis : {plot_->xAxis, plot_->yAxis}) {
        axis->setVisible(anySteps);
    }
    plot_->legend->setVisible(anySteps);
    if (!anySteps) {
        drawn_.clear();
        showText(lines_.isEmpty() ? tr("No op was timed in this run.") : tr("All ops ran in one step."));
        return;
    }
    double first = INFINITY, last = 0, most = 1, least = INFINITY;
    QVector<double> all;
    for (const int i : std::as_const(drawn_)) {
        const Line& line = lines_[i];
        const bool chosen = marked.contains(i);
        auto* graph = plot_->addGraph();
        QColor color = line.color;
        color.setAlphaF(marked.isEmpty() || chosen ? 1.0F : 0.4F);
        graph->setPen(QPen(color, chosen ? 2.6 : 1.5, line.modelled ? Qt::DashLine : Qt::SolidLine));
        if (line.steps.size() <= kFewPoints) {
            graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(color, 1.4),
                                                   line.modelled ? QBrush(t.background) : QBrush(color), 5));
        }
        graph->setName(fontMetrics().elidedText(line.label, Qt::ElideMiddle, std::max(60, width() / 5)) +
                       (line.modelled ? tr(" (modelled)") : QString()));
        QVector<double> positive = line.ns;  // a logarithmic axis has no zero
        for (double& ns : positive) {
            ns = std::max(1.0, ns);
        }
        graph->setData(line.steps, positive, true);
        first = std::min(first, line.steps.front());
        last = std::max(last, line.steps.back());
        most = std::max(most, *std::max_element(line.ns.begin(), line.ns.end()));
        least = std::min(least, *std::min_element(line.ns.begin(), line.ns.end()));
        all += line.ns;
    }
    // Beside the one step that compiled or was interrupted nothing else could be seen.
    std::nth_element(all.begin(), all.begin() + all.size() / 2, all.end());
    const bool logarithmic = most > kFarApart * std::max(1.0, all[all.size() / 2]);
    plot_->yAxis->setScaleType(logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    if (logarithmic) {
        plot_->yAxis->setTicker(QSharedPointer<LogTicker>::create(durationText));
        plot_->yAxis->setRange(decadeBelow(std::max(1.0, least)), decadeAbove(most));
    } else {
        plot_->yAxis->setTicker(QSharedPointer<DurationTicker>::create());
        plot_->yAxis->setRange(0, most * 1.06);
    }
    plot_->yAxis->ticker()->setTickCount(std::clamp(height() / 45, 2, 6));
    plot_->xAxis->setLabel(tr("step"));
    auto ticks = QSharedPointer<QCPAxisTicker>::create();
    ticks->setTickCount(std::clamp(width() / 110, 2, 8));
    plot_->xAxis->setTicker(ticks);
    plot_->xAxis->setNumberFormat(QStringLiteral("f"));
    plot_->xAxis->setNumberPrecision(0);
    const double side = std::max(0.5, (last - first) * 0.01);
    plot_->xAxis->setRange(first - side, last + side);
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

void StepPlot::resizeEvent(QResizeEvent* event) {
    PlotWidget::resizeEvent(event);
    rebuild();
}

StepPlot::Hit StepPlot::hit(const QPointF& pixel) const {
    Hit best;
    double distance = kReachPixels;
    for (const int i : drawn_) {
        const Line& line = lines_[i];
        // The steps grow: only those within reach are looked at.
        const double from = plot_->xAxis->pixelToCoord(pixel.x() - kReachPixels);
        auto at = std::lower_bound(line.steps.begin(), line.steps.end(), from) - line.steps.begin();
        for (; at < line.steps.size(); ++at) {
            const double x = plot_->xAxis->coordToPixel(line.steps[at]) - pixel.x();
            if (x > kReachPixels) {
                break;
            }
            const double away = std::hypot(x, plot_->yAxis->coordToPixel(line.ns[at]) - pixel.y());
            if (away < distance) {
                distance = away;
                best = {i, at};
            }
        }
    }
    return best;
}

bool StepPlot::eventFilter(QObject* watched, QEvent* event) {
    if (watched == plot_ && event->type() == QEvent::MouseButtonDblClick) {
        const Hit at = hit(static_cast<QMouseEvent*>(event)->position());
        if (at.line >= 0) {
            emit stepChosen(static_cast<qint64>(lines_[at.line].steps[at.point]));
        }
    }
    return PlotWidget::eventFilter(watched, event);
}

void StepPlot::click(const QPointF& pixel) {
    const Hit at = hit(pixel);
    if (at.line >= 0 && !lines_[at.line].target.isNone()) {
        emit chosen(lines_[at.line].target);
    }
}

QString StepPlot::textAt(const QPoint& pixel) const {
    const Hit at = hit(pixel);
    if (at.line < 0) {
        return {};
    }
    const Line& line = lines_[at.line];
    return tr("%1\nstep %2: %3%4\nA double click marks this step in the timeline.")
        .arg(line.label, integerText(static_cast<qint64>(line.steps[at.point])), durationText(line.ns[at.point]),
             line.modelled ? tr(" (modelled)") : QString());
}

}  // namespace fusescope::gui
