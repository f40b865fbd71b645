// One box that reaches everything by keyboard: things of the profile by what is written in them, and, after a ">",
// every action of the menus.
#pragma once

#include <QObject>
#include <QVector>

#include "gui/app/command_list.hpp"
#include "gui/app/selection.hpp"
#include "gui/widgets/chooser.hpp"

class QMenuBar;

namespace fusescope::gui {

class Session;

/// What one thing is called in a list.
struct FoundThing {
    QString text;
    QString where;
    Selection target;
};

class Finder : public QObject {
    Q_OBJECT

 public:
    Finder(Session& session, const QMenuBar& menus, QWidget* window);

    /// Things of the profile, or its commands when there is none.
    void openSearch();
    void openCommands();
    Chooser& chooser() { return *chooser_; }

 private:
    void changed();
    void showCommands(const QString& typed);
    void search();
    void showFound();
    void choose(int row);

    Session& session_;
    const QMenuBar& menus_;
    Chooser* chooser_;
    QVector<Command> commands_;           ///< as the menus had them when the box was opened
    QVector<int> shownCommands_;          ///< rows of the list
    QVector<QVector<FoundThing>> found_;  ///< by kind of thing, filled as the jobs answer
    QVector<Selection> shownThings_;      ///< rows of the list
    int asked_ = 0;                       ///< jobs that have not answered
};

}  // namespace fusescope::gui
