// Copying a file off the GUI thread.
#pragma once

#include <QString>
#include <functional>

#include "gui/app/jobs.hpp"

namespace fusescope::gui {

/// Copies over what is there; `done` gets "" or a sentence on what went wrong, on the GUI thread.
void copyFile(Jobs& jobs, QObject* owner, const QString& from, const QString& to, std::function<void(QString)> done);

}  // namespace fusescope::gui
