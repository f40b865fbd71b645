#include "tests/gui/gui_fixture.hpp"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QThread>

#include "gui/app/panel_docks.hpp"
#include "gui/app/settings.hpp"

namespace fusescope::gui::testing {

bool waitFor(const std::function<bool()>& condition, int milliseconds) {
    QElapsedTimer timer;
    timer.start();
    while (!condition()) {
        if (timer.elapsed() > milliseconds) {
            return false;
        }
        QCoreApplication::processEvents(QEventLoop::AllEvents, 10);
        QThread::msleep(1);
    }
    return true;
}

void WindowTest::SetUp() {
    settings::forgetLayout();
    settings::clearRecentFiles();
    window_ = std::make_unique<MainWindow>();
    window_->resize(1280, 800);
    window_->show();
    // Shortcuts work in the active window only.
    ASSERT_TRUE(waitFor([this] { return window_->isActiveWindow(); }));
}

void WindowTest::TearDown() { window_.reset(); }

void WindowTest::openSample() { open(fusescope::testing::write_sample_profile(folder_.path)); }

void WindowTest::open(const std::string& path) {
    window_->openPath(QString::fromStdString(path));
    ASSERT_TRUE(waitFor([this] { return window_->session().hasProfile(); }));
    settle();
}

void WindowTest::settle() {
    QElapsedTimer quiet;
    quiet.start();
    ASSERT_TRUE(waitFor([&] {
        if (!window_->isSettled()) {
            quiet.restart();
        }
        return quiet.elapsed() > 60;
    }));
}

void WindowTest::select(const Selection& selection) {
    window_->session().select(selection);
    settle();
}

void WindowTest::raise(const char* id) {
    ASSERT_TRUE(window_->panels().raise(QString::fromLatin1(id))) << id;
    settle();
}

}  // namespace fusescope::gui::testing
