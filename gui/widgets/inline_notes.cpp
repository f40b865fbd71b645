// The editor's own version of Scintilla knows no such texts, so they are painted above it.
#include "gui/widgets/inline_notes.hpp"

#include <Qsci/qsciscintilla.h>

#include <QEvent>
#include <QPainter>

#include "gui/app/theme.hpp"

namespace fusescope::gui {

namespace {

constexpr int kGap = 16;        // behind the end of the line
constexpr int kNarrowest = 40;  // less room than this shows nothing

}  // namespace

InlineNotes::InlineNotes(QsciScintilla& editor) : QWidget(&editor), editor_(editor) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    hide();
    editor.viewport()->installEventFilter(this);
    connect(&editor, &QsciScintilla::SCN_UPDATEUI, this, qOverload<>(&QWidget::update));
}

void InlineNotes::set(const QVector<CodeView::InlineNote>& notes) {
    notes_ = notes;
    setVisible(!notes.isEmpty());
    cover();
    update();
}

void InlineNotes::cover() {
    setGeometry(editor_.viewport()->geometry());
    raise();
}

bool InlineNotes::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize || event->type() == QEvent::Move) {
        cover();
    }
    return QWidget::eventFilter(watched, event);
}

void InlineNotes::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    QFont font = editor_.font();
    font.setItalic(true);
    painter.setFont(font);
    painter.setPen(theme().mutedText);
    for (const auto& note : notes_) {
        const long end = editor_.SendScintilla(QsciScintilla::SCI_GETLINEENDPOSITION, note.line);
        const int x = static_cast<int>(editor_.SendScintilla(QsciScintilla::SCI_POINTXFROMPOSITION, 0UL, end)) + kGap;
        const int y = static_cast<int>(editor_.SendScintilla(QsciScintilla::SCI_POINTYFROMPOSITION, 0UL, end));
        const int height = static_cast<int>(editor_.SendScintilla(QsciScintilla::SCI_TEXTHEIGHT, note.line));
        const int room = width() - x - 6;
        if (y + height < 0 || y > this->height() || room < kNarrowest) {
            continue;
        }
        painter.drawText(QRect(x, y, room, height), Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
                         painter.fontMetrics().elidedText(note.text, Qt::ElideRight, room));
    }
}

}  // namespace fusescope::gui
