// Opening a script: the bar offers to run it, the child's profile grows in the window, and its end is told.
#include <gtest/gtest.h>

#include <QComboBox>
#include <QFile>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSet>
#include <QTest>
#include <filesystem>

#include "gui/widgets/run_bar.hpp"
#include "tests/gui/gui_fixture.hpp"

namespace fusescope::gui {

using testing::waitFor;

class RecordingTest : public testing::WindowTest {
 protected:
    void SetUp() override {
        WindowTest::SetUp();
        profile_ = fusescope::testing::write_sample_profile(folder_.path);
        script_ = QString::fromStdString((folder_.path / "train.py").string());
    }

    void TearDown() override {
        qunsetenv("FUSESCOPE_COMMAND");
        WindowTest::TearDown();
    }

    // A stand-in for the fusescope command: writes down its arguments and does what `body` says; $OUT is the profile.
    void command(const QString& body) {
        const QString path = QString::fromStdString(folder_ / "fusescope");
        QFile file(path);
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(QStringLiteral("#!/bin/sh\nOUT=\"$2\"\nprintf '%s\\n' \"$@\" > '%1'\n%2\n")
                       .arg(QString::fromStdString(folder_ / "arguments"), body)
                       .toUtf8());
        file.close();
        std::filesystem::permissions(path.toStdString(), std::filesystem::perms::owner_all);
        qputenv("FUSESCOPE_COMMAND", path.toUtf8());
    }

    void runIt() {
        window_->openPath(script_);
        ASSERT_TRUE(window_->runBar().isOffering());
        QTest::keyClick(window_.get(), Qt::Key_F5, Qt::ControlModifier);
        ASSERT_TRUE(window_->recording().isRunning());
    }

    QString copyProfile() const { return QStringLiteral("cp '%1' \"$OUT\"\n").arg(QString::fromStdString(profile_)); }

    std::string profile_;
    QString script_;
};

TEST_F(RecordingTest, ScriptIsNotRunBeforeItIsAskedFor) {
    command("exit 0");
    window_->openPath(script_);
    EXPECT_TRUE(window_->runBar().isOffering());
    EXPECT_TRUE(window_->runBar().text().contains("train.py"));
    EXPECT_FALSE(window_->recording().isRunning());
    EXPECT_FALSE(QFile::exists(QString::fromStdString(folder_ / "arguments")));
}

TEST_F(RecordingTest, TheBarFollowsTheTheme) {
    window_->openPath(script_);
    for (const ThemeChoice choice : {ThemeChoice::Dark, ThemeChoice::Light}) {
        applyTheme(choice);
        settle();
        const QPalette bar = window_->runBar().palette();
        EXPECT_EQ(bar.color(QPalette::Window).lightness() < 128, choice == ThemeChoice::Dark);
        EXPECT_EQ(bar.color(QPalette::WindowText).lightness() > 128, choice == ThemeChoice::Dark);
    }
}

TEST_F(RecordingTest, ProfileIsShownWhileItGrowsAndAtTheEnd) {
    command(copyProfile() + "sleep 0.8\nexit 0");
    runIt();
    ASSERT_TRUE(waitFor([&] { return window_->session().hasProfile(); }));
    EXPECT_TRUE(window_->session().isLive());
    EXPECT_EQ(window_->session().summary().opEvents, 42);
    ASSERT_TRUE(waitFor([&] { return !window_->recording().isRunning(); }));
    settle();
    EXPECT_FALSE(window_->session().isLive());
    EXPECT_TRUE(window_->session().hasProfile());
    EXPECT_TRUE(window_->runBar().text().contains("ended after")) << window_->runBar().text().toStdString();
}

TEST_F(RecordingTest, ProfileThatIsBeingWrittenIsFollowedToItsEnd) {
    command(QStringLiteral("exec '%1' large \"$OUT\" 1500000").arg(FUSESCOPE_MAKE_PROFILE));
    runIt();
    QSet<qint64> counts;
    QObject::connect(&window_->session(), &Session::profileGrew, window_.get(),
                     [&] { counts.insert(window_->session().summary().opEvents); });
    ASSERT_TRUE(waitFor([&] { return !window_->recording().isRunning(); }, 60000));
    settle();
    EXPECT_EQ(window_->session().summary().opEvents, 1'500'000);
    EXPECT_EQ(window_->session().summary().status, "ok");
    EXPECT_GE(counts.size(), 2);
    // The writer could make one plain file of it, because the window let go between its looks.
    EXPECT_FALSE(QFile::exists(window_->session().path() + "-wal"));
}

TEST_F(RecordingTest, ChoicesReachTheCommand) {
    command("exit 0");
    window_->openPath(script_);
    for (auto* box : window_->runBar().findChildren<QComboBox*>()) {
        box->setCurrentIndex(1);
    }
    window_->runBar().start();
    ASSERT_TRUE(waitFor([&] { return !window_->recording().isRunning(); }));
    QFile file(QString::fromStdString(folder_ / "arguments"));
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const QStringList lines = QString::fromUtf8(file.readAll()).split('\n');
    EXPECT_EQ(lines[0], "--record");
    EXPECT_EQ(lines.mid(2, 7), (QStringList{"--mode", "eager", "--device", "cpu", "--watch", "off", script_}));
}

TEST_F(RecordingTest, SaysThatTheScriptRaisedAndWhat) {
    command(copyProfile() + "echo 'ValueError: no such shape' >&2\nexit 1");
    runIt();
    ASSERT_TRUE(waitFor([&] { return !window_->recording().isRunning(); }));
    settle();
    EXPECT_TRUE(window_->runBar().text().contains("raised")) << window_->runBar().text().toStdString();
    EXPECT_TRUE(window_->runBar().text().contains("no such shape"));
    EXPECT_TRUE(window_->session().hasProfile());
}

TEST_F(RecordingTest, SaysThatTheProgramCrashed) {
    command(copyProfile() + "kill -SEGV $$");
    runIt();
    ASSERT_TRUE(waitFor([&] { return !window_->recording().isRunning(); }));
    settle();
    EXPECT_TRUE(window_->runBar().text().contains("crashed"));
    EXPECT_TRUE(window_->session().hasProfile());
}

TEST_F(RecordingTest, StopEndsTheProgramAndKeepsTheProfile) {
    command(copyProfile() + "exec sleep 60");
    runIt();
    ASSERT_TRUE(waitFor([&] { return window_->session().hasProfile(); }));
    QTest::keyClick(window_.get(), Qt::Key_F5, Qt::ShiftModifier);
    ASSERT_TRUE(waitFor([&] { return !window_->recording().isRunning(); }));
    settle();
    EXPECT_TRUE(window_->runBar().text().contains("stopped"));
    EXPECT_TRUE(window_->session().hasProfile());
}

TEST_F(RecordingTest, MissingCommandIsAMessage) {
    qputenv("FUSESCOPE_COMMAND", "/nonexistent/fusescope");
    window_->openPath(script_);
    window_->runBar().start();
    ASSERT_TRUE(waitFor([&] { return window_->runBar().text().contains("could not be started"); }));
    EXPECT_FALSE(window_->recording().isRunning());
}

}  // namespace fusescope::gui
