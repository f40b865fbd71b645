// QSettings under one roof; tests point it elsewhere with QStandardPaths' test mode or XDG_CONFIG_HOME.
#include "gui/app/settings.hpp"

#include <QCryptographicHash>
#include <QFileInfo>
#include <QSettings>

namespace fusescope::gui::settings {

namespace {

constexpr int kRecentFiles = 10;

// Paths have slashes, which QSettings would take for groups.
QString keyOf(const char* group, const QString& path) {
    return QString::fromLatin1(group) + '/' +
           QString::fromLatin1(QCryptographicHash::hash(path.toUtf8(), QCryptographicHash::Sha1).toHex());
}

}  // namespace

QStringList recentFiles() { return QSettings().value("recentFiles").toStringList(); }

void addRecentFile(const QString& path) {
    const QString absolute = QFileInfo(path).absoluteFilePath();
    QStringList files = recentFiles();
    files.removeAll(absolute);
    files.prepend(absolute);
    QSettings().setValue("recentFiles", files.mid(0, kRecentFiles));
}

void clearRecentFiles() { QSettings().remove("recentFiles"); }

ThemeChoice theme() {
    const QString name = QSettings().value("theme").toString();
    return name == "light" ? ThemeChoice::Light : name == "dark" ? ThemeChoice::Dark : ThemeChoice::System;
}

void setTheme(ThemeChoice choice) {
    QSettings().setValue("theme", choice == ThemeChoice::Light  ? "light"
                                  : choice == ThemeChoice::Dark ? "dark"
                                                                : "system");
}

LanguageChoice language() {
    LanguageChoice choice = LanguageChoice::System;
    languageNamed(QSettings().value("language").toString(), &choice);
    return choice;
}

void setLanguage(LanguageChoice choice) { QSettings().setValue("language", nameOf(choice)); }

bool flag(const QString& name, bool otherwise) {
    return QSettings().value(QStringLiteral("flags/") + name, otherwise).toBool();
}

void setFlag(const QString& name, bool on) { QSettings().setValue(QStringLiteral("flags/") + name, on); }

QByteArray geometry() { return QSettings().value("window/geometry").toByteArray(); }

QByteArray layout() { return QSettings().value("window/layout").toByteArray(); }

QStringList raisedDocks() { return QSettings().value("window/raised").toStringList(); }

void saveWindow(const QByteArray& geometry, const QByteArray& layout, const QStringList& raised) {
    QSettings settings;
    settings.setValue("window/geometry", geometry);
    if (!layout.isEmpty()) {
        settings.setValue("window/layout", layout);
        settings.setValue("window/raised", raised);
    }
}

QByteArray breakpoints(const QString& script) { return QSettings().value(keyOf("breakpoints", script)).toByteArray(); }

void saveBreakpoints(const QString& script, const QByteArray& kept) {
    QSettings().setValue(keyOf("breakpoints", script), kept);
}

QStringList bookmarks(const QString& profile) { return QSettings().value(keyOf("bookmarks", profile)).toStringList(); }

void saveBookmarks(const QString& profile, const QStringList& kept) {
    kept.isEmpty() ? QSettings().remove(keyOf("bookmarks", profile))
                   : QSettings().setValue(keyOf("bookmarks", profile), kept);
}

void forgetLayout() {
    QSettings().remove("window/layout");
    QSettings().remove("window/raised");
}

}  // namespace fusescope::gui::settings
