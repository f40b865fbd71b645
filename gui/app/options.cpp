// Command line of fusescope-gui.
#include "gui/app/options.hpp"

#include <QCommandLineParser>

namespace fusescope::gui {

std::optional<Options> parseOptions(const QStringList& arguments, QString* error, bool* done) {
    *done = false;
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QStringLiteral("The window of fusescope: opens profiles (.fscope) and scripts (.py)."));
    const QCommandLineOption help = parser.addHelpOption();
    const QCommandLineOption version = parser.addVersionOption();
    const QCommandLineOption screenshot("screenshot", "Draw the window into this PNG file and exit.", "OUT.png");
    const QCommandLineOption size("size", "Size of the screenshot, 1280x800 by default.", "WIDTHxHEIGHT");
    const QCommandLineOption themeOption("theme", "light, dark or system.", "NAME");
    const QCommandLineOption languageOption("language", "en, zh_CN or system.", "NAME");
    const QCommandLineOption select("select", "Select a node by name: node:NAME.", "WHAT");
    const QCommandLineOption panel("panel", "Bring a panel to the front: graph, ir_text, timeline, ops, …", "ID");
    const QCommandLineOption expand("expand", "Open fused kernels in the graph.");
    const QCommandLineOption merged("merged", "Show the two stages of the graph, and their texts, as one.");
    const QCommandLineOption color("color", "Colour of the graph's nodes: kind, time, memory, device, health, change.",
                                   "NAME");
    const QCommandLineOption breakOption("break", "Debug the script up to this line, for a screenshot.", "LINE");
    const QCommandLineOption findOption("find", "Search for this, or \">\" for commands, for a screenshot.", "TEXT");
    parser.addOptions(
        {findOption, breakOption, screenshot, size, themeOption, languageOption, select, panel, expand, merged, color});
    parser.addPositionalArgument(
        "file", "Profile or script to open; PROFILE#node:NAME or a fusescope: link opens it at a place.", "[FILE…]");
    if (!parser.parse(arguments)) {
        *error = parser.errorText();
        return std::nullopt;
    }
    if (parser.isSet(help) || parser.isSet(version)) {
        *done = true;
        *error = parser.isSet(help) ? parser.helpText()
                                    : QStringLiteral("fusescope-gui %1").arg(QStringLiteral(FUSESCOPE_VERSION));
        return std::nullopt;
    }
    Options options;
    options.files = parser.positionalArguments();
    options.screenshot = parser.value(screenshot);
    options.panel = parser.value(panel);
    options.find = parser.value(findOption);
    options.expandAll = parser.isSet(expand);
    options.merged = parser.isSet(merged);
    if (parser.isSet(color)) {
        const QStringList names{"kind", "time", "memory", "device", "health", "change"};
        options.coloring = static_cast<int>(names.indexOf(parser.value(color)));
        if (options.coloring < 0) {
            *error = QStringLiteral("--color: expected one of %1, got \"%2\"")
                         .arg(names.join(QStringLiteral(", ")), parser.value(color));
            return std::nullopt;
        }
    }
    if (parser.isSet(size)) {
        const QStringList parts = parser.value(size).split('x');
        const QSize wanted(parts.value(0).toInt(), parts.value(1).toInt());
        if (parts.size() != 2 || wanted.width() < 200 || wanted.height() < 150 || wanted.width() > 16384 ||
            wanted.height() > 16384) {
            *error =
                QStringLiteral("--size: expected WIDTHxHEIGHT such as 1280x800, got \"%1\"").arg(parser.value(size));
            return std::nullopt;
        }
        options.size = wanted;
    }
    if (parser.isSet(breakOption)) {
        options.breakLine = parser.value(breakOption).toInt();
        if (options.breakLine < 1 || options.screenshot.isEmpty()) {
            *error = QStringLiteral("--break: expected a line, together with --screenshot");
            return std::nullopt;
        }
    }
    if (parser.isSet(themeOption)) {
        const QString name = parser.value(themeOption);
        if (name == "light") {
            options.theme = ThemeChoice::Light;
        } else if (name == "dark") {
            options.theme = ThemeChoice::Dark;
        } else if (name == "system") {
            options.theme = ThemeChoice::System;
        } else {
            *error = QStringLiteral("--theme: expected light, dark or system, got \"%1\"").arg(name);
            return std::nullopt;
        }
    }
    if (parser.isSet(languageOption)) {
        LanguageChoice choice = LanguageChoice::System;
        if (!languageNamed(parser.value(languageOption), &choice)) {
            *error = QStringLiteral("--language: expected en, zh_CN or system, got \"%1\"")
                         .arg(parser.value(languageOption));
            return std::nullopt;
        }
        options.language = choice;
    }
    if (parser.isSet(select)) {
        const QString what = parser.value(select);
        if (!what.startsWith("node:")) {
            *error = QStringLiteral("--select: expected node:NAME, got \"%1\"").arg(what);
            return std::nullopt;
        }
        options.selectNode = what.mid(5);
    }
    if (!options.screenshot.isEmpty() && options.files.size() > 1) {
        *error = QStringLiteral("--screenshot draws one file; %1 were named").arg(options.files.size());
        return std::nullopt;
    }
    return options;
}

}  // namespace fusescope::gui
