// fusescope-gui: the window.
#include <QApplication>
#include <QStandardPaths>
#include <cstdio>

#include "gui/app/icons.hpp"
#include "gui/app/main_window.hpp"
#include "gui/app/options.hpp"
#include "gui/app/screenshot.hpp"
#include "gui/app/settings.hpp"

// What Qt's offscreen platform cannot do is nothing that a reader of stderr could act on.
static void report(QtMsgType type, const QMessageLogContext&, const QString& text) {
    if (type >= QtWarningMsg && !text.contains(QStringLiteral("propagateSizeHints")) &&
        !text.contains(QStringLiteral("XDG_RUNTIME_DIR"))) {
        std::fprintf(stderr, "fusescope-gui: %s\n", qPrintable(text));
    }
}

int main(int argc, char** argv) {
    using namespace fusescope::gui;
    // Help, version and wrong usage need no display, which QApplication would insist on.
    QStringList arguments;
    for (int i = 0; i < argc; ++i) {
        arguments << QString::fromLocal8Bit(argv[i]);
    }
    QString message;
    bool done = false;
    bool platform = false;
    for (const QString& argument : arguments) {
        platform = platform || argument.startsWith(QStringLiteral("-platform")) || argument == QStringLiteral("-style");
    }
    std::optional<Options> options;
    if (!platform) {
        QCoreApplication core(argc, argv);
        options = parseOptions(arguments, &message, &done);
        if (!options) {
            std::fprintf(done ? stdout : stderr, "%s\n", qPrintable(message));
            return done ? 0 : 2;
        }
    }
    qInstallMessageHandler(report);
    const bool display = qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY") ||
                         qEnvironmentVariableIsSet("QT_QPA_PLATFORM") || platform;
    if (!display && !options->screenshot.isEmpty()) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
    } else if (!display) {
        std::fputs(
            "fusescope-gui: there is no display here (DISPLAY and WAYLAND_DISPLAY are not set); "
            "'fusescope --report PROFILE' shows a profile as text\n",
            stderr);
        return 4;
    }
    QCoreApplication::setOrganizationName(QStringLiteral("fusescope"));
    QCoreApplication::setApplicationName(QStringLiteral("fusescope"));
    QApplication application(argc, argv);
    if (!options) {
        options = parseOptions(QApplication::arguments(), &message, &done);
        if (!options) {
            std::fprintf(done ? stdout : stderr, "%s\n", qPrintable(message));
            return done ? 0 : 2;
        }
    }
    if (!options->screenshot.isEmpty()) {
        // A picture does not depend on who takes it: the saved layout and recent files are left alone.
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setApplicationName(QStringLiteral("fusescope-screenshot"));
        settings::forgetLayout();
        settings::clearRecentFiles();
        settings::setFlag(QStringLiteral("graphAnimated"), false);
    }
    applyLanguage(
        options->language.value_or(options->screenshot.isEmpty() ? settings::language() : LanguageChoice::English));
    applyTheme(options->theme.value_or(options->screenshot.isEmpty() ? settings::theme() : ThemeChoice::Light));
    QApplication::setWindowIcon(icon(QStringLiteral("fusescope")));
    MainWindow window;
    if (!options->screenshot.isEmpty()) {
        return takeScreenshot(window, *options);
    }
    window.show();
    for (const QString& file : options->files) {
        window.openPath(file);
    }
    return QApplication::exec();
}
