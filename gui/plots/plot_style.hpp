// How every plot looks, in one place.
#pragma once

#include <QBrush>
#include <QColor>

class QCustomPlot;

namespace fusescope::gui {

/// Colours, fonts and grid of the current theme on all axes.
void stylePlot(QCustomPlot& plot);
/// Solid for measured values, hatched for modelled ones.
QBrush barBrush(const QColor& color, bool modelled);

}  // namespace fusescope::gui
