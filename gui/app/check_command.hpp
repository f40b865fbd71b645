// The command "Compare Eager and Graph…": its action and dialog, and what the run bar says meanwhile.
#pragma once

#include <QAction>
#include <QObject>

#include "gui/app/check_run.hpp"

class QMenu;

namespace fusescope::gui {

class RunBar;
class Session;

class CheckCommand : public QObject {
    Q_OBJECT

 public:
    /// All three must stay; the window owns it.
    CheckCommand(Session& session, RunBar& bar, QWidget& window);

    QAction* action() const { return action_; }
    /// Its words are in the language of now.
    void fillMenu(QMenu& menu);
    /// The script that would be compared: the one on offer, else that of the open profile; empty when there is none.
    QString script() const;
    void setIdle(bool idle) { action_->setEnabled(idle && !script().isEmpty()); }
    /// Without asking anything.
    void start(const CheckOptions& options);

 signals:
    /// One begins or has ended.
    void changed();

 private:
    CheckOptions offered() const;
    void ask();
    void showProgress();

    Session& session_;
    RunBar& bar_;
    QWidget& window_;
    QAction* action_;
};

}  // namespace fusescope::gui
