// The window's own command line.
#pragma once

#include <QSize>
#include <QString>
#include <QStringList>
#include <optional>

#include "gui/app/language.hpp"
#include "gui/app/theme.hpp"

namespace fusescope::gui {

struct Options {
    QStringList files;
    QString screenshot;                      ///< PNG to write instead of staying open; empty when not asked for
    QSize size{1280, 800};                   ///< of the screenshot
    std::optional<ThemeChoice> theme;        ///< overrides the saved choice for this run
    std::optional<LanguageChoice> language;  ///< overrides the saved choice for this run
    QString selectNode;                      ///< name of a node to select, for screenshots
    QString panel;                           ///< id of a panel to bring to the front, for screenshots
    QString find;                            ///< what to type into the search for anything, for screenshots
    int breakLine = 0;                       ///< debug the script to this line first, for screenshots
    bool expandAll = false;                  ///< open fused kernels in the graph, for screenshots
    bool merged = false;                     ///< the two stages of the graph as one, for screenshots
    int coloring = -1;                       ///< of the graph's nodes; -1 leaves it
};

/// Reads the arguments; on wrong usage returns nothing with a message in *error. --help and --version leave their text
/// in *error with *done set.
std::optional<Options> parseOptions(const QStringList& arguments, QString* error, bool* done);

}  // namespace fusescope::gui
