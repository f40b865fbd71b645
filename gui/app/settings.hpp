// What the window remembers between starts: recent files, theme, language, geometry and layout.
#pragma once

#include <QByteArray>
#include <QStringList>

#include "gui/app/language.hpp"
#include "gui/app/theme.hpp"

namespace fusescope::gui::settings {

QStringList recentFiles();
/// Puts the file first; a path is kept once and the list is short.
void addRecentFile(const QString& path);
void clearRecentFiles();

ThemeChoice theme();
void setTheme(ThemeChoice choice);
LanguageChoice language();
void setLanguage(LanguageChoice choice);

/// A switch of the View menus, by a stable name.
bool flag(const QString& name, bool otherwise);
void setFlag(const QString& name, bool on);

QByteArray geometry();
QByteArray layout();
/// Docks that lie on top of the others in their tabs; Qt's own layout forgets that now and then.
QStringList raisedDocks();
/// An empty layout leaves the saved one alone.
void saveWindow(const QByteArray& geometry, const QByteArray& layout, const QStringList& raised);
/// Breakpoints and what else is kept for the debugging of one script, as Breakpoints writes them; empty without any.
QByteArray breakpoints(const QString& script);
void saveBreakpoints(const QString& script, const QByteArray& kept);

/// Bookmarks of one profile: address, text and note of each, one after the other.
QStringList bookmarks(const QString& profile);
void saveBookmarks(const QString& profile, const QStringList& kept);

/// Forgets the layout, so that the next window has the default one.
void forgetLayout();

}  // namespace fusescope::gui::settings
