// Rules about the window's sources, so that it does not grow into wiring.
#include <gtest/gtest.h>

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QSet>

#include "gui/app/icons.hpp"
#include "gui/app/panel.hpp"

namespace fusescope::gui {

namespace {

QStringList sources(const QString& folder) {
    QStringList files;
    const QDir root(QStringLiteral(FUSESCOPE_SOURCE_DIR) + "/gui/" + folder);
    for (const QString& name : root.entryList({"*.cpp", "*.hpp"}, QDir::Files)) {
        files << root.filePath(name);
    }
    return files;
}

QString textOf(const QString& path) {
    QFile file(path);
    EXPECT_TRUE(file.open(QIODevice::ReadOnly)) << path.toStdString();
    return QString::fromUtf8(file.readAll());
}

const QStringList kFolders = {"app", "debug", "graph", "models", "panels", "plots", "tensor", "timeline", "widgets"};

}  // namespace

TEST(Rules, PanelsKnowNoOtherPanel) {
    int looked = 0;
    for (const QString& path : sources("panels")) {
        EXPECT_FALSE(textOf(path).contains("#include \"gui/panels/")) << path.toStdString();
        ++looked;
    }
    EXPECT_GE(looked, 10);
}

TEST(Rules, MainWindowIsShortAndNamesNoPanel) {
    const QString text = textOf(QStringLiteral(FUSESCOPE_SOURCE_DIR) + "/gui/app/main_window.cpp");
    EXPECT_LT(text.count('\n'), 400);
    EXPECT_FALSE(text.contains("gui/panels/"));
    for (const auto& panel : panel_all()) {
        EXPECT_FALSE(text.contains("panel_" + panel.id)) << panel.id.toStdString();
    }
}

TEST(Rules, NoSqlNoEngineAndNoLongFile) {
    int looked = 0;
    for (const QString& folder : kFolders) {
        for (const QString& path : sources(folder)) {
            const QString text = textOf(path);
            EXPECT_FALSE(text.contains(QRegularExpression("\\bSELECT\\b"))) << path.toStdString();
            EXPECT_FALSE(text.contains("#include \"engine/")) << path.toStdString();
            EXPECT_FALSE(text.contains("sqlite3.h")) << path.toStdString();
            EXPECT_LE(text.count('\n'), 600) << path.toStdString();
            const bool graphviz = text.contains("<cgraph.h>") || text.contains("<gvc.h>");
            EXPECT_FALSE(graphviz && folder != "graph") << path.toStdString();
            ++looked;
        }
    }
    EXPECT_GE(looked, 60);
}

TEST(Rules, PanelsHaveEachTheirOwnIdTitleAndShortcut) {
    QSet<QString> ids, titles, shortcuts;
    const auto panels = panel_all();
    EXPECT_GE(panels.size(), 10u);
    for (const auto& panel : panels) {
        ids.insert(panel.id);
        titles.insert(panel.translatedTitle());
        shortcuts.insert(panel.shortcut.toString());
        EXPECT_FALSE(icon(panel.icon).isNull()) << panel.id.toStdString();
    }
    EXPECT_EQ(static_cast<size_t>(ids.size()), panels.size());
    EXPECT_EQ(static_cast<size_t>(titles.size()), panels.size());
    EXPECT_EQ(static_cast<size_t>(shortcuts.size()), panels.size());
}

}  // namespace fusescope::gui
