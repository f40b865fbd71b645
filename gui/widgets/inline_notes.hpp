// Short texts painted behind the ends of an editor's lines: values while a program stands there.
#pragma once

#include <QVector>
#include <QWidget>

#include "gui/widgets/code_view.hpp"

class QsciScintilla;

namespace fusescope::gui {

/// Lies over the editor and lets the mouse through.
class InlineNotes : public QWidget {
    Q_OBJECT

 public:
    explicit InlineNotes(QsciScintilla& editor);

    void set(const QVector<CodeView::InlineNote>& notes);
    const QVector<CodeView::InlineNote>& all() const { return notes_; }

 protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

 private:
    void cover();

    QsciScintilla& editor_;
    QVector<CodeView::InlineNote> notes_;
};

}  // namespace fusescope::gui
