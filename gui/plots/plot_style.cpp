// Theme of QCustomPlot.
#include "gui/plots/plot_style.hpp"

#include <qcustomplot.h>

#include "gui/app/theme.hpp"

namespace fusescope::gui {

void stylePlot(QCustomPlot& plot) {
    const Theme& t = theme();
    plot.setBackground(t.background);
    const QFont font = plot.QWidget::font();
    for (QCPAxis* axis : {plot.xAxis, plot.yAxis, plot.xAxis2, plot.yAxis2}) {
        axis->setBasePen(QPen(t.border));
        axis->setTickPen(QPen(t.border));
        axis->setSubTickPen(QPen(t.border));
        axis->setTickLabelColor(t.mutedText);
        axis->setLabelColor(t.mutedText);
        axis->setTickLabelFont(font);
        axis->setLabelFont(font);
        axis->grid()->setPen(QPen(t.grid, 1));
        axis->grid()->setZeroLinePen(QPen(t.border, 1));
        axis->grid()->setSubGridVisible(false);
    }
    plot.legend->setBrush(t.panel);
    plot.legend->setBorderPen(QPen(t.border));
    plot.legend->setTextColor(t.text);
    plot.legend->setFont(font);
}

QBrush barBrush(const QColor& color, bool modelled) {
    return modelled ? QBrush(color, Qt::BDiagPattern) : QBrush(color);
}

}  // namespace fusescope::gui
