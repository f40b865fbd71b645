// Asks for what a breakpoint has besides its place.
#pragma once

#include <QDialog>

#include "gui/debug/breakpoints.hpp"

class QComboBox;
class QFormLayout;
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
    QLineEdit* field(const char* id, const QString& name, const QString& value, const QString& hint);
    void addWatch();
    /// From the boxes into the text that the debugger reads.
    void compose();
    /// And back, as far as the boxes know the words.
    void decompose();
    void showFields();

    Breakpoint breakpoint_;
    QFormLayout* form_;
    QLineEdit* text_ = nullptr;
    QLineEdit* condition_ = nullptr;
    QLineEdit* hits_ = nullptr;
    QLineEdit* log_ = nullptr;
    // Of a watchpoint:
    QComboBox* kind_ = nullptr;
    QLineEdit* first_ = nullptr;
    QLineEdit* second_ = nullptr;
    QComboBox* on_ = nullptr;
    QLineEdit* target_ = nullptr;
};

}  // namespace fusescope::gui
