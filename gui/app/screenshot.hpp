// Draws the real window into a file: for the README, and for tests without a display.
#pragma once

#include "gui/app/options.hpp"

namespace fusescope::gui {

class MainWindow;

/// Runs the event loop until everything is loaded and drawn, saves the picture and returns an exit status: 0 saved,
/// 4 when the profile could not be opened or the picture not written, 2 when --select or --panel name nothing.
int takeScreenshot(MainWindow& window, const Options& options);

}  // namespace fusescope::gui
