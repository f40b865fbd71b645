// Draws its icon again when the palette changes.
#include "gui/widgets/icon_button.hpp"

#include <QEvent>

#include "gui/app/icons.hpp"

namespace fusescope::gui {

IconButton::IconButton(const QString& iconName, const QString& tip, QWidget* parent)
    : QToolButton(parent), iconName_(iconName) {
    setIcon(gui::icon(iconName));
    setToolTip(tip);
    setAccessibleName(tip);
    setAutoRaise(true);
}

void IconButton::changeEvent(QEvent* event) {
    QToolButton::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        setIcon(gui::icon(iconName_));
    }
}

}  // namespace fusescope::gui
