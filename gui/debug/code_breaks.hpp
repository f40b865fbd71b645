// Makes a code view the text of a program under debugging: breakpoints in its margin, where the program stands, the
// values of names in the lines above, and of the one under the mouse.
#pragma once

#include <QObject>
#include <QPoint>
#include <QString>
#include <QVector>

#include "gui/widgets/code_view.hpp"

namespace fusescope::gui {

class DebugSession;

/// Lives as long as the view, whose child it is.
class CodeBreaks : public QObject {
    Q_OBJECT

 public:
    CodeBreaks(DebugSession& debug, CodeView& view);

    /// The file whose text is in the view now; empty when it has none that could be debugged.
    void setPath(const QString& path);
    const QString& path() const { return path_; }
    /// What stands behind lines while no program is debugged: what was recorded of them.
    void setRecorded(const QVector<CodeView::InlineNote>& notes);
    /// Breakpoint of the 0-based line, as a click into the margin does it.
    void toggle(int line);

 private:
    void showMarks();
    void showPlace();
    void showValues();
    void menu(int line, const QPoint& global);
    void edit(int line, bool log);
    void look(const QString& expression, const QPoint& global);

    DebugSession& debug_;
    CodeView& view_;
    QString path_;
    QVector<CodeView::InlineNote> recorded_;
    int hover_ = 0;  ///< number of the latest; what is answered for an older one is not shown
};

}  // namespace fusescope::gui
