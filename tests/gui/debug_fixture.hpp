// A window with a script that is debugged by the real fusescope command.
#pragma once

#include <gtest/gtest.h>

#include <QAbstractItemModel>
#include <QAction>
#include <QFile>
#include <QSignalSpy>

#include "gui/app/settings.hpp"
#include "gui/debug/debug_controls.hpp"
#include "gui/debug/debug_session.hpp"
#include "gui/widgets/run_bar.hpp"
#include "tests/gui/gui_fixture.hpp"

namespace fusescope::gui {

// Line 7 calls, line 4 computes.
inline constexpr const char* kScript = R"(import mindspore as ms
from mindspore import Tensor, ops
def net(x):
    y = ops.softmax(x) * 2
    return ops.log(y)
x = Tensor([[1.0, 2.0, 3.0]], ms.float32)
for step in range(3):
    z = net(x)
    print("step", step, z.shape)
total = list(range(1000))
print("done")
)";

class DebugTest : public testing::WindowTest {
 protected:
    void SetUp() override {
        qputenv("FUSESCOPE_COMMAND", FUSESCOPE_PROGRAM);
        WindowTest::SetUp();
        script_ = QString::fromStdString((folder_.path / "train.py").string());
        settings::saveBreakpoints(script_, {});
        write(kScript);
    }

    void TearDown() override {
        debug().stop();
        testing::waitFor([this] { return !debug().isActive(); });
        WindowTest::TearDown();
        qunsetenv("FUSESCOPE_COMMAND");
    }

    void write(const char* text) {
        QFile file(script_);
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(text);
        file.close();
    }

    DebugSession& debug() { return window_->session().debug(); }
    Breakpoints& breakpoints() { return debug().breakpoints(); }

    void offer() {
        window_->openPath(script_);
        ASSERT_TRUE(window_->runBar().isOffering());
    }
    void press(const char* action) { window_->debugBar().action(QString::fromLatin1(action))->trigger(); }

    // Until the program stands and the frame's variables are known.
    void stopped() {
        ASSERT_TRUE(testing::waitFor(
            [this] { return debug().state() == DebugSession::State::Stopped && debug().frame(); }, 60000))
            << window_->runBar().text().toStdString();
    }
    void go(const char* action) {
        QSignalSpy stack(&debug(), &DebugSession::frameChanged);
        const quint64 before = debug().stopNumber();
        press(action);
        ASSERT_TRUE(testing::waitFor([&] { return debug().stopNumber() > before + 1 && !stack.isEmpty(); })) << action;
        stopped();
    }
    void startTo(int line) {
        offer();
        breakpoints().toggleLine(script_, line);
        press("go");
        stopped();
    }

    static QModelIndex child(const QAbstractItemModel& model, const QString& name, const QModelIndex& parent = {}) {
        for (int row = 0; row < model.rowCount(parent); ++row) {
            const QModelIndex at = model.index(row, 0, parent);
            if (at.data().toString().startsWith(name)) {
                return at;
            }
        }
        return {};
    }

    QString script_;
};

}  // namespace fusescope::gui
