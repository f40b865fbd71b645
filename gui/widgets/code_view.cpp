// QScintilla set up for reading.
#include "gui/widgets/code_view.hpp"

#include <Qsci/qscilexerpython.h>
#include <Qsci/qsciscintilla.h>

#include <QFontDatabase>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/app/theme.hpp"

namespace fusescope::gui {

namespace {

constexpr int kNumberMargin = 0;
constexpr int kNoteMargin = 1;
constexpr int kCurrentMarker = 3;
constexpr int kRelatedMarker = 4;
constexpr int kHeatLevels = 6;
constexpr int kFirstHeatStyle = 64;  // above the lexer's own styles

}  // namespace

CodeView::CodeView(Language language, QWidget* parent) : QWidget(parent), editor_(new QsciScintilla) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(editor_);
    setFocusProxy(editor_);
    editor_->setReadOnly(true);
    editor_->setAcceptDrops(false);  // files that are dropped are for the window
    editor_->viewport()->setAcceptDrops(false);
    editor_->setUtf8(true);
    editor_->setFrameShape(QFrame::NoFrame);
    editor_->setWrapMode(QsciScintilla::WrapNone);
    editor_->setCaretLineVisible(false);
    editor_->setTabWidth(4);
    editor_->setAccessibleName(tr("Source text"));
    editor_->SendScintilla(QsciScintilla::SCI_SETSCROLLWIDTHTRACKING, 1L);
    editor_->SendScintilla(QsciScintilla::SCI_SETSCROLLWIDTH, 100L);
    for (int margin = 2; margin < 5; ++margin) {
        editor_->setMarginWidth(margin, 0);
    }
    editor_->SendScintilla(QsciScintilla::SCI_SETMARGINLEFT, 0UL, 6L);
    editor_->setMarginType(kNumberMargin, QsciScintilla::NumberMargin);
    editor_->setMarginType(kNoteMargin, QsciScintilla::TextMarginRightJustified);
    editor_->setMarginWidth(kNoteMargin, 0);
    editor_->markerDefine(QsciScintilla::Background, kCurrentMarker);
    editor_->markerDefine(QsciScintilla::Background, kRelatedMarker);
    editor_->viewport()->installEventFilter(this);
    editor_->installEventFilter(this);
    if (language == Language::Python) {
        lexer_ = new QsciLexerPython(editor_);
        editor_->setLexer(lexer_);
    }
    connect(editor_, &QsciScintilla::SCN_UPDATEUI, this, [this](int updated) {
        if (updated & QsciScintilla::SC_UPDATE_V_SCROLL) {
            emit scrolled(firstVisibleLine());
        }
    });
    restyle();
}

void CodeView::setText(const QString& text) {
    editor_->clearMarginText();
    editor_->setMarginWidth(kNoteMargin, 0);
    editor_->markerDeleteAll();
    current_ = -1;
    editor_->setText(text);
    editor_->SendScintilla(QsciScintilla::SCI_SETXOFFSET, 0L);
    editor_->setMarginWidth(kNumberMargin, QStringLiteral("0%1").arg(std::max(editor_->lines(), 100)));
}

QString CodeView::text() const { return editor_->text(); }

void CodeView::setMargin(const QVector<MarginNote>& notes) {
    editor_->clearMarginText();
    QString widest;
    for (const auto& note : notes) {
        const int level = std::clamp(static_cast<int>(note.share * kHeatLevels), 0, kHeatLevels - 1);
        editor_->setMarginText(note.line, note.text, kFirstHeatStyle + level);
        widest = note.text.size() > widest.size() ? note.text : widest;
    }
    editor_->setMarginWidth(kNoteMargin, notes.isEmpty() ? QString() : widest + QStringLiteral("0"));
    if (notes.isEmpty()) {
        editor_->setMarginWidth(kNoteMargin, 0);
    }
}

void CodeView::setMarks(int current, const QSet<int>& related) {
    editor_->markerDeleteAll();
    current_ = current;
    for (const int line : related) {
        if (line != current) {
            editor_->markerAdd(line, kRelatedMarker);
        }
    }
    if (current >= 0) {
        editor_->markerAdd(current, kCurrentMarker);
    }
}

void CodeView::reveal(int line) {
    const int visible = static_cast<int>(editor_->SendScintilla(QsciScintilla::SCI_LINESONSCREEN));
    const int first = editor_->firstVisibleLine();
    if (line < first + 1 || line > first + visible - 2) {
        editor_->setFirstVisibleLine(std::max(0, line - visible / 3));
    }
}

int CodeView::firstVisibleLine() const { return editor_->firstVisibleLine(); }

void CodeView::setFirstVisibleLine(int line) { editor_->setFirstVisibleLine(line); }

void CodeView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        restyle();
    }
}

bool CodeView::eventFilter(QObject* watched, QEvent* event) {
    const bool click = watched == editor_->viewport() && event->type() == QEvent::MouseButtonRelease &&
                       static_cast<QMouseEvent*>(event)->button() == Qt::LeftButton;
    const bool enter = watched == editor_ && event->type() == QEvent::KeyPress &&
                       (static_cast<QKeyEvent*>(event)->key() == Qt::Key_Return ||
                        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Enter);
    if ((click && !editor_->hasSelectedText()) || enter) {
        int line = 0, column = 0;
        editor_->getCursorPosition(&line, &column);
        if (click) {
            // The editor moves its caret on press already; the position under the mouse is the honest one.
            const QPoint at = static_cast<QMouseEvent*>(event)->pos();
            const long position =
                editor_->SendScintilla(QsciScintilla::SCI_POSITIONFROMPOINT,
                                       static_cast<unsigned long>(std::max(0, at.x())), static_cast<long>(at.y()));
            line = static_cast<int>(editor_->SendScintilla(QsciScintilla::SCI_LINEFROMPOSITION, position));
        }
        emit lineChosen(line);
    }
    return QWidget::eventFilter(watched, event);
}

void CodeView::restyle() {
    const Theme& t = theme();
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setPointSizeF(std::max(9.0, QWidget::font().pointSizeF()));
    editor_->setFont(font);
    editor_->setColor(t.text);
    editor_->setPaper(t.background);
    if (lexer_) {
        lexer_->setDefaultFont(font);
        lexer_->setDefaultPaper(t.background);
        lexer_->setDefaultColor(t.text);
        for (int style = 0; style < 32; ++style) {
            lexer_->setFont(font, style);
            lexer_->setPaper(t.background, style);
            lexer_->setColor(t.text, style);
        }
        const QColor comment = t.mutedText;
        const QColor string = t.dark ? QColor("#9fcf8a") : QColor("#3b7a2a");
        const QColor keyword = t.dark ? QColor("#c4a6f2") : QColor("#7a3fb0");
        const QColor number = t.dark ? QColor("#e0b07a") : QColor("#9c5a08");
        const QColor name = t.dark ? QColor("#7fc1ee") : QColor("#0f5f9e");
        lexer_->setColor(comment, QsciLexerPython::Comment);
        lexer_->setColor(comment, QsciLexerPython::CommentBlock);
        for (const int style : {QsciLexerPython::DoubleQuotedString, QsciLexerPython::SingleQuotedString,
                                QsciLexerPython::TripleSingleQuotedString, QsciLexerPython::TripleDoubleQuotedString,
                                QsciLexerPython::UnclosedString, QsciLexerPython::DoubleQuotedFString,
                                QsciLexerPython::SingleQuotedFString, QsciLexerPython::TripleSingleQuotedFString,
                                QsciLexerPython::TripleDoubleQuotedFString}) {
            lexer_->setColor(string, style);
        }
        lexer_->setColor(keyword, QsciLexerPython::Keyword);
        lexer_->setColor(number, QsciLexerPython::Number);
        lexer_->setColor(name, QsciLexerPython::FunctionMethodName);
        lexer_->setColor(name, QsciLexerPython::ClassName);
        lexer_->setColor(number, QsciLexerPython::Decorator);
    }
    editor_->setMarginsFont(font);
    editor_->setMarginsForegroundColor(t.mutedText);
    editor_->setMarginsBackgroundColor(t.panel);
    editor_->setSelectionBackgroundColor(palette().color(QPalette::Highlight));
    editor_->setSelectionForegroundColor(palette().color(QPalette::HighlightedText));
    editor_->setCaretForegroundColor(t.text);
    QColor current = t.accent, related = t.related;
    const auto blend = [&t](const QColor& over, double share) {
        const auto mix = [share](int a, int b) { return static_cast<int>(a + (b - a) * share); };
        return QColor(mix(t.background.red(), over.red()), mix(t.background.green(), over.green()),
                      mix(t.background.blue(), over.blue()));
    };
    editor_->setMarkerBackgroundColor(blend(current, 0.34), kCurrentMarker);
    editor_->setMarkerBackgroundColor(blend(related, 0.2), kRelatedMarker);
    for (int level = 0; level < kHeatLevels; ++level) {
        const int style = kFirstHeatStyle + level;
        const QColor back = level == 0 ? t.panel : t.colorOfShare(static_cast<double>(level) / (kHeatLevels - 1) * 0.8);
        const QColor fore = level >= kHeatLevels - 2 ? QColor("#10141a") : t.text;
        editor_->SendScintilla(QsciScintilla::SCI_STYLESETBACK, static_cast<unsigned long>(style), back);
        editor_->SendScintilla(QsciScintilla::SCI_STYLESETFORE, static_cast<unsigned long>(style), fore);
        editor_->SendScintilla(QsciScintilla::SCI_STYLESETFONT, static_cast<unsigned long>(style),
                               font.family().toUtf8().constData());
        editor_->SendScintilla(QsciScintilla::SCI_STYLESETSIZE, static_cast<unsigned long>(style),
                               static_cast<long>(font.pointSize()));
    }
}

}  // namespace fusescope::gui
