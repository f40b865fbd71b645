#include "gui/plots/plot_widget.hpp"

#include <qcustomplot.h>

#include <QEvent>
#include <QVBoxLayout>

namespace fusescope::gui {

PlotWidget::PlotWidget(const QString& accessibleName, QWidget* parent) : QWidget(parent), plot_(new QCustomPlot) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(plot_);
    plot_->installEventFilter(this);
    setAccessibleName(accessibleName);
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
