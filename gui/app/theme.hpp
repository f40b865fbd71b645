// Light and dark: the palette of the widgets and the colours that panels paint with.
#pragma once

#include <QColor>
#include <QString>
#include <QVector>

class QApplication;

namespace fusescope::gui {

enum class ThemeChoice { System, Light, Dark };

/// Colours with a meaning. One hue a concept; never red against green alone.
struct Theme {
    bool dark = false;
    QColor background, panel, text, mutedText, grid, border;
    QColor accent;   ///< the selection
    QColor related;  ///< what the selection touches
    QColor device, host, transfer, compile;
    QColor error, warning, info;
    QVector<QColor> kinds;  ///< qualitative, told apart by colour-blind readers

    /// The same colour for the same op name in every panel. GUI thread only.
    QColor colorOfKind(const QString& name) const;
    /// A share in 0…1 on a single-hue ramp that reads in both themes.
    QColor colorOfShare(double share) const;
};

const Theme& theme();
ThemeChoice themeChoice();
/// Sets style, palette and theme() of the whole application; widgets get a PaletteChange event.
void applyTheme(ThemeChoice choice);

}  // namespace fusescope::gui
