// A window over a profile, driven as a user would, and the waiting that goes with it.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>

#include "gui/app/main_window.hpp"
#include "tests/profiler/sample_profile.hpp"

namespace fusescope::gui::testing {

/// Turns the event loop until the condition holds; false after `milliseconds`.
bool waitFor(const std::function<bool()>& condition, int milliseconds = 20000);

class WindowTest : public ::testing::Test {
 protected:
    void SetUp() override;
    void TearDown() override;

    /// Writes the sample profile, opens it and waits until everything is drawn.
    void openSample();
    void open(const std::string& path);
    /// No job is under way and none follows.
    void settle();
    /// Selects as a panel would, and waits for all panels.
    void select(const Selection& selection);
    /// Brings a panel to the front and waits for it.
    void raise(const char* id);

    template <typename Widget>
    Widget* find(const char* name) {
        auto* widget = window_->findChild<Widget*>(QString::fromLatin1(name));
        EXPECT_NE(widget, nullptr) << name;
        return widget;
    }

    fusescope::testing::TemporaryFolder folder_;
    std::unique_ptr<MainWindow> window_;
};

}  // namespace fusescope::gui::testing
