// Bars over QCustomPlot: one plottable a bar, because each has its own colour.
#include "gui/plots/bar_plot.hpp"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

#include "gui/app/theme.hpp"
#include "gui/plots/plot_style.hpp"

namespace fusescope::gui {

namespace {

constexpr int kLabelPixels = 170;
constexpr int kRowPixels = 17;  // fewer pixels a bar than this, and names overlap

// Writes axis numbers with the plot's own units.
class FormatTicker : public QCPAxisTicker {
 public:
    FormatTicker(std::function<QString(double)> format, bool binary) : format_(std::move(format)), binary_(binary) {}

 protected:
    double getTickStep(const QCPRange& range) override {
        return binary_ ? std::exp2(std::ceil(std::log2(std::max(range.size() / tickCount(), 1.0))))
                       : QCPAxisTicker::getTickStep(range);
    }
    int getSubTickCount(double step) override { return binary_ ? 1 : QCPAxisTicker::getSubTickCount(step); }
    QString getTickLabel(double tick, const QLocale&, QChar, int) override {
        return format_ ? format_(tick) : QString::number(tick);
    }

 private:
    std::function<QString(double)> format_;
    bool binary_;
};

}  // namespace

BarPlot::BarPlot(const QString& accessibleName, QWidget* parent) : PlotWidget(accessibleName, parent) {
    plot_->setMouseTracking(true);
    plot_->setNoAntialiasingOnDrag(true);
    plot_->setMinimumSize(120, 60);
    rebuild();
}

void BarPlot::setBars(QVector<Bar> bars) {
    bars_ = std::move(bars);
    rebuild();
}

void BarPlot::setFormat(std::function<QString(double)> format, bool binary) {
    format_ = std::move(format);
    binary_ = binary;
    rebuild();
}

void BarPlot::setMarked(std::function<bool(const Bar&)> marked) {
    marked_ = std::move(marked);
    rebuild();
}

void BarPlot::setEmptyText(const QString& text) {
    emptyText_ = text;
    rebuild();
}

void BarPlot::draw() {
    const Theme& t = theme();
    items_.clear();
    shown_ = std::min<int>(static_cast<int>(bars_.size()), std::max(3, (height() - 46) / kRowPixels));
    const bool empty = bars_.isEmpty();
    for (QCPAxis* axis : {plot_->xAxis, plot_->yAxis}) {
        axis->setVisible(!empty);
    }
    plot_->legend->setVisible(false);
    if (empty) {
        showText(emptyText_);
        return;
    }
    auto names = QSharedPointer<QCPAxisTickerText>::create();
    double longest = 0;
    int widestName = 0, widestValue = 0;
    bool anyModelled = false, anyMeasured = false;
    const QFontMetrics metrics(font());
    for (int i = 0; i < shown_; ++i) {
        const Bar& bar = bars_[i];
        auto* item = new QCPBars(plot_->yAxis, plot_->xAxis);
        const bool marked = marked_ && marked_(bar);
        item->setData({static_cast<double>(i)}, {bar.value}, true);
        item->setWidth(0.74);
        item->setBrush(barBrush(bar.color, bar.modelled));
        item->setPen(marked ? QPen(t.accent, 2.5) : QPen(bar.color.darker(115), 1));
        item->removeFromLegend();
        items_.push_back(item);
        const QString name = metrics.elidedText(bar.label, Qt::ElideMiddle, std::min(kLabelPixels, width() / 3));
        names->addTick(i, name);
        widestName = std::max(widestName, metrics.horizontalAdvance(name));
        widestValue = std::max(widestValue, metrics.horizontalAdvance(bar.valueText) + 24);
        auto* value = new QCPItemText(plot_);
        value->setPositionAlignment(Qt::AlignLeft | Qt::AlignVCenter);
        value->position->setCoords(bar.value, i);
        value->setText(QStringLiteral("  ") + bar.valueText);
        value->setColor(t.mutedText);
        value->setFont(font());
        value->setClipToAxisRect(true);
        longest = std::max(longest, bar.value);
        (bar.modelled ? anyModelled : anyMeasured) = true;
    }
    if (anyModelled) {
        for (const bool modelled : {false, true}) {
            if (modelled || anyMeasured) {
                auto* key = new QCPBars(plot_->yAxis, plot_->xAxis);
                key->setBrush(barBrush(t.device, modelled));
                key->setPen(QPen(t.device, 1));
                key->setName(modelled ? tr("modelled") : tr("measured"));
            }
        }
        plot_->legend->setVisible(true);
        plot_->axisRect()->insetLayout()->setInsetAlignment(0, Qt::AlignBottom | Qt::AlignRight);
    }
    plot_->yAxis->setTicker(names);
    plot_->yAxis->setTickLength(0, 0);
    plot_->yAxis->grid()->setVisible(false);
    plot_->yAxis->setRangeReversed(true);
    plot_->yAxis->setRange(-0.6, std::max(2.4, shown_ - 0.4));
    auto ticker = QSharedPointer<FormatTicker>::create(format_, binary_);
    ticker->setTickCount(std::clamp(width() / 130, 2, 6));
    plot_->xAxis->setTicker(ticker);
    // Room for the number behind the longest bar.
    const double inner = std::max(80, width() - widestName - 40);
    plot_->xAxis->setRange(0, longest > 0 ? longest * inner / std::max(40.0, inner - widestValue) : 1);
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

void BarPlot::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    rebuild();
}

int BarPlot::barAt(double pixelY) const {
    const int bar = static_cast<int>(std::lround(plot_->yAxis->pixelToCoord(pixelY)));
    return bar >= 0 && bar < shown_ ? bar : -1;
}

void BarPlot::click(const QPointF& pixel) {
    const int bar = barAt(pixel.y());
    if (bar >= 0 && !bars_[bar].target.isNone()) {
        emit chosen(bars_[bar].target);
    }
}

QString BarPlot::textAt(const QPoint& pixel) const {
    const int bar = barAt(pixel.y());
    if (bar < 0) {
        return {};
    }
    return QStringLiteral("%1\n%2%3")
        .arg(bars_[bar].label, bars_[bar].valueText, bars_[bar].modelled ? tr(" (modelled)") : QString());
}

}  // namespace fusescope::gui
