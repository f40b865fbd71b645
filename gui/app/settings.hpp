// What the window remembers between starts: recent files, theme, geometry and layout.
#pragma once

#include <QByteArray>
#include <QStringList>

#include "gui/app/theme.hpp"

namespace fusescope::gui::settings {

QStringList recentFiles();
/// Puts the file first; a path is kept once and the list is short.
void addRecentFile(const QString& path);
void clearRecentFiles();

ThemeChoice theme();
void setTheme(ThemeChoice choice);

QByteArray geometry();
QByteArray layout();
void saveWindow(const QByteArray& geometry, const QByteArray& layout);
/// Forgets the layout, so that the next window has the default one.
void forgetLayout();

}  // namespace fusescope::gui::settings
