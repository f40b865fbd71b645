// Asks for what a breakpoint has besides its place.
#pragma once

#include <QDialog>

#include "gui/debug/breakpoints.hpp"

class QLineEdit;

namespace fusescope::gui {

/// Shown with open(), and gone once it is closed.
class BreakpointDialog : public QDialog {
    Q_OBJECT

 public:
    /// `log` puts the keyboard into the log text.
    BreakpointDialog(const Breakpoint& breakpoint, bool log, QWidget* parent);

    /// As it is filled in.
    const Breakpoint& breakpoint() const { return breakpoint_; }

 private:
    Breakpoint breakpoint_;
    QLineEdit* text_ = nullptr;
    QLineEdit* condition_ = nullptr;
    QLineEdit* hits_ = nullptr;
    QLineEdit* log_ = nullptr;
};

}  // namespace fusescope::gui
