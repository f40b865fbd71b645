#include "gui/plots/histogram_plot.hpp"

#include <qcustomplot.h>

#include <QHelpEvent>

#include "gui/app/theme.hpp"
#include "gui/plots/plot_style.hpp"
#include "gui/widgets/format.hpp"

namespace fusescope::gui {

HistogramPlot::HistogramPlot(const QString& accessibleName, QWidget* parent) : PlotWidget(accessibleName, parent) {
    plot_->setMinimumSize(120, 80);
}

void HistogramPlot::setHistogram(const tensors::Histogram& histogram, const QString& xLabel) {
    histogram_ = histogram;
    label_ = xLabel;
    rebuild();
}

void HistogramPlot::setLogarithmic(bool logarithmic) {
    logarithmic_ = logarithmic;
    rebuild();
}

void HistogramPlot::draw() {
    plot_->legend->setVisible(false);
    plot_->xAxis->setLabel(label_);
    plot_->yAxis->setLabel(tr("elements"));
    plot_->xAxis->setRange(histogram_.low, histogram_.high);
    const double most = static_cast<double>(std::max<qint64>(histogram_.largest(), 1));
    if (logarithmic_) {
        plot_->yAxis->setScaleType(QCPAxis::stLogarithmic);
        plot_->yAxis->setTicker(QSharedPointer<QCPAxisTickerLog>::create());
        plot_->yAxis->setRange(0.7, most * 1.6);
    } else {
        plot_->yAxis->setScaleType(QCPAxis::stLinear);
        plot_->yAxis->setTicker(QSharedPointer<QCPAxisTicker>::create());
        plot_->yAxis->setRange(0, most * 1.06);
    }
    QSharedPointer<QCPAxisTicker> ticks = plot_->xAxis->ticker();
    ticks->setTickCount(std::clamp(width() / 90, 2, 7));
    if (!histogram_.bins.empty()) {
        auto* bars = new QCPBars(plot_->xAxis, plot_->yAxis);
        QVector<double> keys, values;
        for (std::size_t i = 0; i < histogram_.bins.size(); ++i) {
            keys << (histogram_.edge(i) / 2 + histogram_.edge(i + 1) / 2);
            values << static_cast<double>(histogram_.bins[i]);
        }
        bars->setData(keys, values, true);
        bars->setWidth(histogram_.edge(1) - histogram_.edge(0));
        bars->setBaseValue(logarithmic_ ? 0.1 : 0);
        bars->setPen(Qt::NoPen);
        bars->setBrush(theme().device);
    }
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

QString HistogramPlot::textAt(const QPoint& pixel) const {
    const double x = plot_->xAxis->pixelToCoord(pixel.x());
    const auto n = static_cast<double>(histogram_.bins.size());
    const double at = (x - histogram_.low) / (histogram_.high - histogram_.low) * n;
    if (!(at >= 0 && at < n)) {
        return {};
    }
    const auto bin = static_cast<std::size_t>(at);
    return tr("%1 to %2: %3 elements")
        .arg(histogram_.edge(bin), 0, 'g', 6)
        .arg(histogram_.edge(bin + 1), 0, 'g', 6)
        .arg(integerText(histogram_.bins[bin]));
}

}  // namespace fusescope::gui
