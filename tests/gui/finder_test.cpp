// The command palette and the search for anything, by keyboard.
#include "gui/app/finder.hpp"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QAction>
#include <QLineEdit>
#include <QMenuBar>
#include <QTest>

#include "gui/app/command_list.hpp"
#include "gui/app/panel_docks.hpp"
#include "gui/app/watchdog.hpp"
#include "profiler/query/search.hpp"
#include "tests/gui/gui_fixture.hpp"
#include "tests/gui/large_profile.hpp"

namespace fusescope::gui {

using testing::waitFor;
using testing::WindowTest;
namespace sample = fusescope::testing::sample;

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr qint64 kStallMs = 1500;
constexpr std::int64_t kEvents = 50'000;
#else
constexpr qint64 kStallMs = 100;
constexpr std::int64_t kEvents = 1'000'000;
#endif

class FinderTest : public WindowTest {
 protected:
    QLineEdit* line() { return find<QLineEdit>("chooserText"); }
    Chooser& chooser() { return window_->finder().chooser(); }

    void press(int key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QTest::keyClick(window_->focusWidget() ? window_->focusWidget() : window_.get(), static_cast<Qt::Key>(key),
                        modifiers);
    }

    // As if typed; the box is open.
    void type(const QString& text) {
        line()->selectAll();
        QTest::keyClicks(line(), text);
        settle();
    }

    QStringList shown() {
        QStringList all;
        for (const Choice& choice : chooser().choices()) {
            all << (choice.kind.isEmpty() ? choice.text : choice.kind + ": " + choice.text);
        }
        return all;
    }
};

}  // namespace

TEST(Fuzzy, TakesLettersInOrderAndPrefersBeginningsOfWords) {
    EXPECT_LT(fuzzyScore("xyz", "View › Timeline"), 0);
    EXPECT_LT(fuzzyScore("eniltime", "View › Timeline"), 0);
    EXPECT_GE(fuzzyScore("", "View › Timeline"), 0);
    EXPECT_GT(fuzzyScore("tl", "View › Timeline"), 0);
    EXPECT_GT(fuzzyScore("time", "View › Timeline"), fuzzyScore("time", "Tidy me"));
    EXPECT_GT(fuzzyScore("sp", "Save Profile"), fuzzyScore("sp", "Stop"));
    EXPECT_GT(fuzzyScore("dark", "View › Theme › Dark"), fuzzyScore("dark", "Debug › Add mark"));
    // A letter taken too far ahead must not lose the rest.
    EXPECT_GE(fuzzyScore("alb", "alpha b l"), 0);
    EXPECT_GE(fuzzyScore("abl", "abl b"), 0);
}

TEST_F(FinderTest, PaletteHasEveryActionOfTheMenus) {
    openSample();
    press(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    ASSERT_TRUE(chooser().isOpen());
    const QStringList all = shown();
    for (const Command& command : commandsOf(*window_->findChild<QMenuBar*>())) {
        EXPECT_TRUE(all.contains(command.path)) << command.path.toStdString();
    }
    for (const auto& panel : panel_all()) {
        EXPECT_FALSE(all.filter(panel.translatedTitle()).isEmpty()) << panel.id.toStdString();
    }
    EXPECT_FALSE(all.filter(QStringLiteral("Theme › Dark")).isEmpty());
}

TEST_F(FinderTest, CommandRunsByKeyboardAlone) {
    openSample();
    raise("graph");
    press(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    QTest::keyClicks(line(), QStringLiteral("vtranf"));
    ASSERT_FALSE(shown().isEmpty());
    EXPECT_EQ(shown().front(), QStringLiteral("View › Transfers"));
    press(Qt::Key_Return);
    EXPECT_FALSE(chooser().isOpen());
    ASSERT_TRUE(waitFor([this] { return static_cast<Panel*>(window_->panels().panel("transfers"))->isInView(); }));
}

TEST_F(FinderTest, WithoutAProfileTheSearchOffersCommands) {
    press(Qt::Key_P, Qt::ControlModifier);
    ASSERT_TRUE(chooser().isOpen());
    EXPECT_FALSE(shown().filter(QStringLiteral("Open…")).isEmpty());
    press(Qt::Key_Escape);
    EXPECT_FALSE(chooser().isOpen());
}

TEST_F(FinderTest, FindsThingsOfEveryKindAndSelectsThem) {
    openSample();
    struct Case {
        const char* typed;
        const char* first;
        Selection::Kind kind;
    };
    for (const Case& c :
         {Case{"op: log", "op: Log", Selection::Kind::OpKind}, Case{"node: MatMul", "node: ", Selection::Kind::Node},
          Case{"line: Tensor", "line: ", Selection::Kind::Line},
          Case{"tensor: log NaN", "tensor: Log", Selection::Kind::OpEvent},
          Case{"graph: train", "graph: train_step", Selection::Kind::Graph},
          Case{"finding: nan", "finding: ", Selection::Kind::Finding}}) {
        press(Qt::Key_P, Qt::ControlModifier);
        type(QString::fromLatin1(c.typed));
        ASSERT_FALSE(shown().isEmpty()) << c.typed;
        for (const QString& row : shown()) {
            EXPECT_TRUE(row.startsWith(QString::fromLatin1(c.first).section(' ', 0, 0))) << row.toStdString();
        }
        EXPECT_TRUE(shown().front().startsWith(QString::fromLatin1(c.first))) << shown().front().toStdString();
        press(Qt::Key_Return);
        settle();
        EXPECT_EQ(window_->session().selection().kind, c.kind) << c.typed;
    }
}

TEST_F(FinderTest, SlashOpensItAndArrowsWalkTheList) {
    openSample();
    window_->setFocus();
    press(Qt::Key_Slash);
    ASSERT_TRUE(chooser().isOpen());
    type("l");
    ASSERT_GT(shown().size(), 2);
    press(Qt::Key_Down);
    press(Qt::Key_Down);
    const QString third = shown()[2];
    press(Qt::Key_Return);
    settle();
    EXPECT_FALSE(window_->session().selection().isNone());
    // What was typed is still there, selected, for the next time.
    press(Qt::Key_P, Qt::ControlModifier);
    EXPECT_EQ(line()->text(), "l");
    EXPECT_EQ(line()->selectedText(), "l");
    settle();
    EXPECT_EQ(shown()[2], third);
}

TEST_F(FinderTest, RegularExpressionsAreOptional) {
    openSample();
    press(Qt::Key_P, Qt::ControlModifier);
    type("op: ^L.g$");
    EXPECT_TRUE(shown().isEmpty());
    press(Qt::Key_R, Qt::AltModifier);
    settle();
    EXPECT_EQ(shown(), QStringList{"op: Log"});
    type("op: (");
    EXPECT_TRUE(shown().isEmpty());
    EXPECT_FALSE(window_->findChildren<QLabel*>().isEmpty());
}

TEST_F(FinderTest, NothingFoundIsSaid) {
    openSample();
    press(Qt::Key_P, Qt::ControlModifier);
    type("zzzzzz");
    EXPECT_TRUE(shown().isEmpty());
    bool said = false;
    for (const QLabel* label : chooser().findChildren<QLabel*>()) {
        said = said || (label->isVisible() && label->text() == "Nothing has that in it.");
    }
    EXPECT_TRUE(said);
}

TEST_F(FinderTest, TypingNeverStallsOnAMillionEvents) {
    fusescope::testing::LargeProfile size;
    size.events = kEvents;
    size.graph_nodes = 20'000;
    const std::string path = folder_ / "large.fscope";
    fusescope::testing::write_large_profile(path, size);
    open(path);
    press(Qt::Key_P, Qt::ControlModifier);
    Watchdog watchdog;
    for (const QChar c : QStringLiteral("matmul layer")) {
        QTest::keyClicks(line(), QString(c));
        QElapsedTimer pause;
        pause.start();
        waitFor([&] { return pause.elapsed() > 40; });
    }
    ASSERT_TRUE(waitFor([this] { return window_->isSettled(); }));
    EXPECT_LT(watchdog.longestStall(), kStallMs);
    EXPECT_FALSE(shown().isEmpty());
}

TEST(ChoiceModel, IsAModel) {
    ChoiceModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setChoices({{"op", "Add", "a.py:3", true}, {"", "View", "", false}});
    EXPECT_EQ(model.rowCount(), 2);
    EXPECT_EQ(model.index(0).data(Qt::AccessibleTextRole).toString(), "op Add a.py:3");
    model.setChoices({});
}

}  // namespace fusescope::gui
