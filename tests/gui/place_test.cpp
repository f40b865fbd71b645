// Where one is: breadcrumb, links and bookmarks.
#include "gui/models/place.hpp"

#include <gtest/gtest.h>

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QInputDialog>
#include <QMap>
#include <QProcess>
#include <QShortcut>
#include <QStatusBar>
#include <QTest>
#include <QToolButton>
#include <QTreeWidget>

#include "gui/app/bookmarks.hpp"
#include "gui/app/panel_docks.hpp"
#include "gui/widgets/breadcrumb.hpp"
#include "tests/gui/gui_fixture.hpp"

namespace fusescope::gui {

using testing::waitFor;
using testing::WindowTest;
namespace sample = fusescope::testing::sample;

namespace {

class PlaceTest : public WindowTest {
 protected:
    void SetUp() override {
        WindowTest::SetUp();
        openSample();
    }

    Breadcrumb* breadcrumb() { return find<Breadcrumb>("breadcrumb"); }

    void press(int key, Qt::KeyboardModifiers modifiers) {
        QTest::keyClick(window_.get(), static_cast<Qt::Key>(key), modifiers);
    }

    QVector<Selection> oneOfEachKind() {
        return {Selection::opEvent(sample::kNanEvent),
                Selection::opKind(sample::kLogKind),
                Selection::sourceLine(1, sample::kLogLine),
                Selection::finding(1),
                Selection::graph(1),
                Selection::transfer(1)};
    }
};

}  // namespace

TEST_F(PlaceTest, BreadcrumbLeadsFromTheLineToTheEvent) {
    select(Selection::opEvent(sample::kNanEvent));
    const QStringList texts = breadcrumb()->texts();
    ASSERT_GE(texts.size(), 2);
    EXPECT_EQ(texts.front(), QStringLiteral("train.py, line %1").arg(sample::kLogLine));
    EXPECT_EQ(texts.back(), QStringLiteral("Log no. %1").arg(sample::kNanEvent));
    // The outermost can be clicked.
    QToolButton* first = nullptr;
    for (auto* button : breadcrumb()->findChildren<QToolButton*>()) {
        first = button->text() == texts.front() ? button : first;
    }
    ASSERT_NE(first, nullptr);
    QTest::mouseClick(first, Qt::LeftButton);
    settle();
    EXPECT_EQ(window_->session().selection().kind, Selection::Kind::Line);
}

TEST_F(PlaceTest, EveryAddressLeadsBack) {
    for (const Selection& selection : oneOfEachKind()) {
        select(selection);
        const QString address = breadcrumb()->place().address;
        ASSERT_FALSE(address.isEmpty()) << static_cast<int>(selection.kind);
        select({});
        window_->session().goTo(address);
        settle();
        EXPECT_EQ(window_->session().selection(), selection) << address.toStdString();
    }
}

TEST_F(PlaceTest, AddressesTakeNamesToo) {
    window_->session().goTo("line:train.py:9");
    settle();
    EXPECT_EQ(window_->session().selection().line, 9);
    window_->session().goTo("graph:train_step");
    settle();
    EXPECT_EQ(window_->session().selection(), Selection::graph(1));
    const Selection before = window_->session().selection();
    for (const char* nothing : {"node:nowhere", "event:999999", "line:train.py", "planet:3", "", "finding:x", "op:"}) {
        window_->session().goTo(QString::fromLatin1(nothing));
        settle();
        EXPECT_EQ(window_->session().selection(), before) << nothing;
    }
}

TEST_F(PlaceTest, LinkIsCopiedAndOpened) {
    select(Selection::opEvent(sample::kNanEvent));
    press(Qt::Key_L, Qt::ControlModifier | Qt::ShiftModifier);
    const QString link = QApplication::clipboard()->text();
    EXPECT_TRUE(link.startsWith("fusescope:///")) << link.toStdString();
    EXPECT_TRUE(link.endsWith("#event:11")) << link.toStdString();
    const QString path = window_->session().path();
    window_->session().close();
    settle();
    press(Qt::Key_L, Qt::ControlModifier);
    auto* dialog = window_->findChild<QInputDialog*>("openLink");
    ASSERT_NE(dialog, nullptr);
    EXPECT_EQ(dialog->textValue(), link);
    dialog->accept();
    ASSERT_TRUE(waitFor([this] { return window_->session().hasProfile(); }));
    settle();
    EXPECT_EQ(window_->session().path(), path);
    EXPECT_EQ(window_->session().selection(), Selection::opEvent(sample::kNanEvent));
}

TEST_F(PlaceTest, CommandLineTakesAPathWithAnAddress) {
    const QString path = window_->session().path();
    window_->session().close();
    window_->openPath(path + "#finding:1");
    ASSERT_TRUE(waitFor([this] { return window_->session().hasProfile(); }));
    settle();
    EXPECT_EQ(window_->session().selection(), Selection::finding(1));
    // In the profile that is open already.
    window_->openPath(path + "#event:3");
    settle();
    EXPECT_EQ(window_->session().selection(), Selection::opEvent(3));
    EXPECT_TRUE(window_->session().canGoBack());
}

TEST_F(PlaceTest, PictureIsTakenOfAPlace) {
    const QString profile = window_->session().path();
    for (const auto& [file, status] :
         {std::pair(profile + "#event:11", 0), {linkText(profile, "event:11"), 0}, {profile + "x#event:11", 4}}) {
        QProcess program;
        program.start(FUSESCOPE_GUI_PROGRAM, {"--screenshot", QString::fromStdString(folder_ / "place.png"), file});
        EXPECT_TRUE(program.waitForFinished(60000));
        EXPECT_EQ(program.exitCode(), status) << file.toStdString();
    }
}

TEST(Link, KeepsAnyPath) {
    for (const char* path : {"/tmp/a.fscope", "/tmp/with space/ä 中文 100%.fscope", "/tmp/a#b?c.fscope"}) {
        const QString profile = QString::fromUtf8(path);
        const Link link = linkOf(linkText(profile, "line:train step.py:12"));
        EXPECT_EQ(link.profile, profile);
        EXPECT_EQ(link.address, "line:train step.py:12") << path;
    }
    EXPECT_EQ(linkOf("a.fscope").profile, "a.fscope");
    EXPECT_TRUE(linkOf("a.fscope").address.isEmpty());
    EXPECT_EQ(linkOf("a.fscope#node:x").address, "node:x");
    // What follows is no address.
    EXPECT_EQ(linkOf("gone#1.fscope").profile, "gone#1.fscope");
    const fusescope::testing::TemporaryFolder folder;
    const QString odd = QString::fromStdString(folder / "a#b.fscope");
    QFile file(odd);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    EXPECT_EQ(linkOf(odd).profile, odd);
}

TEST_F(PlaceTest, NoKeyOfTheWindowIsTakenByAWidgetOrTwice) {
    // Qt runs neither of two that take the same key.
    QMap<QKeySequence, QStringList> ofWindow;
    QMap<QKeySequence, QStringList> ofWidgets;
    for (const QAction* action : window_->findChildren<QAction*>()) {
        auto& keys = action->shortcutContext() == Qt::WindowShortcut ? ofWindow : ofWidgets;
        for (const QKeySequence& key : action->shortcuts()) {
            keys[key] << action->text();
        }
    }
    for (const QShortcut* shortcut : window_->findChildren<QShortcut*>()) {
        auto& keys = shortcut->context() == Qt::WindowShortcut ? ofWindow : ofWidgets;
        keys[shortcut->key()] << QString::fromLatin1(shortcut->parent()->metaObject()->className());
    }
    ASSERT_GT(ofWindow.size(), 20);
    // These stop a run and a debugged run, of which one goes on at a time.
    ofWindow.remove(QKeySequence(Qt::SHIFT | Qt::Key_F5));
    for (auto it = ofWindow.cbegin(); it != ofWindow.cend(); ++it) {
        EXPECT_EQ((it.value() + ofWidgets.value(it.key())).size(), 1)
            << it.key().toString().toStdString() << ": "
            << (it.value() + ofWidgets.value(it.key())).join(", ").toStdString();
    }
}

TEST_F(PlaceTest, BookmarksAreSetListedNotedRemovedAndBroughtBack) {
    select(Selection::opEvent(sample::kNanEvent));
    press(Qt::Key_D, Qt::ControlModifier);
    Bookmarks& all = window_->session().bookmarks();
    ASSERT_EQ(all.all().size(), 1);
    EXPECT_EQ(all.all()[0].address, "event:11");
    raise("bookmarks");
    auto* list = find<QTreeWidget>("bookmarkList");
    ASSERT_EQ(list->topLevelItemCount(), 1);
    list->topLevelItem(0)->setText(0, "the birth");
    EXPECT_EQ(all.all()[0].note, "the birth");
    select({});
    list->setFocus();
    list->setCurrentItem(list->topLevelItem(0));
    emit list->itemActivated(list->topLevelItem(0), 1);
    settle();
    EXPECT_EQ(window_->session().selection(), Selection::opEvent(sample::kNanEvent));
    QTest::keyClick(list, Qt::Key_Delete);
    settle();
    EXPECT_EQ(list->topLevelItemCount(), 0);
    QTest::keyClick(list, Qt::Key_Z, Qt::ControlModifier);
    settle();
    ASSERT_EQ(list->topLevelItemCount(), 1);
    EXPECT_EQ(list->topLevelItem(0)->text(0), "the birth");
}

TEST_F(PlaceTest, BookmarksAreKeptForTheNextTime) {
    const std::string path = window_->session().path().toStdString();
    select(Selection::finding(1));
    press(Qt::Key_D, Qt::ControlModifier);
    window_->session().close();
    EXPECT_TRUE(window_->session().bookmarks().all().isEmpty());
    open(path);
    EXPECT_EQ(window_->session().bookmarks().indexOf("finding:1"), 0);
    select(Selection::finding(1));
    press(Qt::Key_D, Qt::ControlModifier);
    EXPECT_TRUE(window_->session().bookmarks().all().isEmpty());
}

}  // namespace fusescope::gui
