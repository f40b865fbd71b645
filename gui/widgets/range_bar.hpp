// Says that a panel shows a marked stretch of time only, and offers to show the whole run again.
#pragma once

#include <QFrame>

class QLabel;

namespace fusescope::gui {

class Session;

class RangeBar : public QFrame {
    Q_OBJECT

 public:
    explicit RangeBar(Session& session, QWidget* parent = nullptr);

 private:
    void refresh();

    Session& session_;
    QLabel* text_;
};

}  // namespace fusescope::gui
