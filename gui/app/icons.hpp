// Icons of resources/icons in the colour of the current theme.
#pragma once

#include <QIcon>
#include <QString>

namespace fusescope::gui {

/// Draws resources/icons/<name>.svg with its `currentColor` replaced; a null icon when there is no such file.
QIcon icon(const QString& name);

}  // namespace fusescope::gui
