// Asks how a script is to be compared with itself.
#pragma once

#include <QDialog>

#include "gui/app/check_run.hpp"

class QLineEdit;

namespace fusescope::gui {

/// Shown with open(), and gone once it is closed.
class CheckDialog : public QDialog {
    Q_OBJECT

 public:
    CheckDialog(const CheckOptions& options, QWidget* parent);

    /// As it is filled in.
    const CheckOptions& options() const { return options_; }

 private:
    CheckOptions options_;
    QLineEdit* arguments_;
    QLineEdit* rtol_;
    QLineEdit* atol_;
    QLineEdit* passes_;
};

}  // namespace fusescope::gui
