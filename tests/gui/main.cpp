// One application for all tests, without a display and away from the user's settings.
#include <gtest/gtest.h>

#include <QApplication>
#include <QStandardPaths>

#include "gui/app/theme.hpp"

int main(int argc, char** argv) {
    ::testing::InitGoogleTest(&argc, argv);
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName("fusescope");
    // A name of its own for each process: CTest runs several at once, and settings are files.
    QCoreApplication::setApplicationName(QStringLiteral("fusescope-test-%1").arg(QCoreApplication::applicationPid()));
    QApplication application(argc, argv);
    fusescope::gui::applyTheme(fusescope::gui::ThemeChoice::Light);
    return RUN_ALL_TESTS();
}
