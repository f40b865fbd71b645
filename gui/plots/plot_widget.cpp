#include "gui/plots/plot_widget.hpp"

#include <qcustomplot.h>

#include <QEvent>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QVBoxLayout>

#include "gui/app/theme.hpp"
#include "gui/plots/plot_style.hpp"

namespace fusescope::gui {

PlotWidget::PlotWidget(const QString& accessibleName, QWidget* parent) : QWidget(parent), plot_(new QCustomPlot) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(plot_);
    plot_->installEventFilter(this);
    setAccessibleName(accessibleName);
}

void PlotWidget::rebuild() {
    if (!isVisible()) {
        return;  // showEvent does it
    }
    plot_->clearPlottables();
    plot_->clearItems();
    stylePlot(*plot_);
    draw();
}

QString PlotWidget::textAt(const QPoint&) const { return {}; }

void PlotWidget::click(const QPointF&) {}

bool PlotWidget::eventFilter(QObject* watched, QEvent* event) {
    if (watched == plot_ && event->type() == QEvent::MouseButtonRelease) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        if (mouse->button() == Qt::LeftButton) {
            click(mouse->position());
        }
    } else if (watched == plot_ && event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), textAt(help->pos()), plot_);  // no text hides what is shown
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void PlotWidget::showText(const QString& sentence) {
    auto* text = new QCPItemText(plot_);
    text->position->setType(QCPItemPosition::ptAxisRectRatio);
    text->position->setCoords(0.5, 0.5);
    text->setText(sentence);
    text->setColor(theme().mutedText);
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

void PlotWidget::legendAtRight() {
    auto* side = new QCPLayoutGrid;
    plot_->plotLayout()->addElement(0, 1, side);
    side->addElement(0, 0, plot_->legend);
    side->addElement(1, 0, new QCPLayoutElement(plot_));
    side->setRowStretchFactor(0, 0.001);
    plot_->plotLayout()->setColumnStretchFactor(1, 0.001);
}

void PlotWidget::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    rebuild();
}

void PlotWidget::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        rebuild();
    }
}

}  // namespace fusescope::gui
