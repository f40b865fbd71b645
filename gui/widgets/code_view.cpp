// QScintilla set up for reading.
#include "gui/widgets/code_view.hpp"

#include <Qsci/qscilexerpython.h>
#include <Qsci/qsciscintilla.h>

#include <QFontDatabase>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPixmap>
#include <QRegularExpression>
#include <QVBoxLayout>
#include <algorithm>
#include <functional>

#include "gui/app/theme.hpp"
#include "gui/widgets/inline_notes.hpp"

namespace fusescope::gui {

namespace {

constexpr int kBreakMargin = 0;
constexpr int kNumberMargin = 1;
constexpr int kNoteMargin = 2;
constexpr int kFirstTintMarker = 0;  // backgrounds; those of higher number lie above
constexpr int kTints = 4;
constexpr int kRelatedMarker = 4;
constexpr int kCurrentMarker = 5;
constexpr int kExecutionMarker = 6;
constexpr int kFirstBreakMarker = 8;
constexpr int kBreakKinds = 5;
// Above the breakpoints, so that both can be seen on one line.
constexpr int kArrowMarker = kFirstBreakMarker + kBreakKinds;
constexpr int kCallerMarker = kArrowMarker + 1;
constexpr unsigned kBreakMask = ((1u << (kBreakKinds + 2)) - 1) << kFirstBreakMarker;
constexpr int kSymbolPixels = 16;
constexpr int kHeatLevels = 6;
constexpr int kFirstHeatStyle = 64;  // above the lexer's own styles

// A breakpoint, or where the program stands, for the margin.
QPixmap symbol(const QWidget& on, const std::function<void(QPainter&)>& draw) {
    const qreal ratio = on.devicePixelRatioF();
    QPixmap picture(QSize(kSymbolPixels, kSymbolPixels) * ratio);
    picture.setDevicePixelRatio(ratio);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    painter.setRenderHint(QPainter::Antialiasing);
    draw(painter);
    return picture;
}

}  // namespace

CodeView::CodeView(Language language, QWidget* parent)
    : QWidget(parent), editor_(new QsciScintilla), notes_(new InlineNotes(*editor_)) {
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
    retranslate();
    editor_->SendScintilla(QsciScintilla::SCI_SETSCROLLWIDTHTRACKING, 1L);
    editor_->SendScintilla(QsciScintilla::SCI_SETSCROLLWIDTH, 100L);
    for (int margin = 0; margin < 5; ++margin) {
        editor_->setMarginWidth(margin, 0);
        editor_->setMarginMarkerMask(margin, 0);
    }
    editor_->setMarginType(kBreakMargin, QsciScintilla::SymbolMargin);
    editor_->SendScintilla(QsciScintilla::SCI_SETMARGINLEFT, 0UL, 6L);
    editor_->setMarginType(kNumberMargin, QsciScintilla::NumberMargin);
    editor_->setMarginType(kNoteMargin, QsciScintilla::TextMarginRightJustified);
    editor_->setMarginWidth(kNoteMargin, 0);
    editor_->markerDefine(QsciScintilla::Background, kCurrentMarker);
    editor_->markerDefine(QsciScintilla::Background, kRelatedMarker);
    editor_->markerDefine(QsciScintilla::Background, kExecutionMarker);
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
    connect(editor_, &QsciScintilla::marginClicked, this, [this](int margin, int line) {
        if (margin == kBreakMargin) {
            emit breakMarginClicked(line);
        }
    });
    connect(editor_, &QsciScintilla::marginRightClicked, this, [this](int margin, int line) {
        if (margin == kBreakMargin) {
            emit breakMarginMenuAsked(line, QCursor::pos());
        }
    });
    restyle();
}

void CodeView::retranslate() { editor_->setAccessibleName(tr("Source text")); }

void CodeView::setText(const QString& text) {
    editor_->clearMarginText();
    editor_->setMarginWidth(kNoteMargin, 0);
    editor_->markerDeleteAll();
    current_ = execution_ = -1;
    notes_->set({});
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
    editor_->markerDeleteAll(kCurrentMarker);
    editor_->markerDeleteAll(kRelatedMarker);
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

void CodeView::setTints(const QVector<Tint>& tints) {
    for (int i = 0; i < kTints; ++i) {
        editor_->markerDeleteAll(kFirstTintMarker + i);
    }
    QVector<QColor> known;
    for (const Tint& tint : tints) {
        auto at = known.indexOf(tint.color);
        if (at < 0 && known.size() < kTints) {
            at = known.size();
            known.push_back(tint.color);
            const int marker = kFirstTintMarker + static_cast<int>(at);
            editor_->markerDefine(QsciScintilla::Background, marker);
            editor_->setMarkerBackgroundColor(tint.color, marker);
        }
        if (at >= 0) {
            editor_->markerAdd(tint.line, kFirstTintMarker + static_cast<int>(at));
        }
    }
}

void CodeView::reveal(int line) {
    const int visible = static_cast<int>(editor_->SendScintilla(QsciScintilla::SCI_LINESONSCREEN));
    const int first = editor_->firstVisibleLine();
    if (line < first + 1 || line > first + visible - 2) {
        editor_->setFirstVisibleLine(std::max(0, line - visible / 3));
    }
}

void CodeView::showBreakMargin() {
    breakMargin_ = true;
    editor_->setMarginWidth(kBreakMargin, kSymbolPixels + 4);
    editor_->setMarginMarkerMask(kBreakMargin, static_cast<int>(kBreakMask));
    editor_->setMarginSensitivity(kBreakMargin, true);
    editor_->setMarginsBackgroundColor(theme().panel);
}

void CodeView::setBreakMarks(const QVector<BreakMark>& marks) {
    for (int kind = 0; kind < kBreakKinds; ++kind) {
        editor_->markerDeleteAll(kFirstBreakMarker + kind);
    }
    for (const BreakMark& mark : marks) {
        editor_->markerAdd(mark.line, kFirstBreakMarker + static_cast<int>(mark.kind));
    }
}

void CodeView::setExecutionLine(int line, bool innermost) {
    for (const int marker : {kExecutionMarker, kArrowMarker, kCallerMarker}) {
        editor_->markerDeleteAll(marker);
    }
    execution_ = line;
    if (line >= 0) {
        editor_->markerAdd(line, kExecutionMarker);
        editor_->markerAdd(line, innermost ? kArrowMarker : kCallerMarker);
    }
}

void CodeView::setInlineNotes(const QVector<InlineNote>& notes) { notes_->set(notes); }

QVector<CodeView::InlineNote> CodeView::inlineNotes() const { return notes_->all(); }

int CodeView::caretLine() const {
    int line = 0, column = 0;
    editor_->getCursorPosition(&line, &column);
    return line;
}

QString CodeView::lineText(int line) const { return editor_->text(line); }

int CodeView::firstVisibleLine() const { return editor_->firstVisibleLine(); }

void CodeView::setFirstVisibleLine(int line) { editor_->setFirstVisibleLine(line); }

void CodeView::watchHover() {
    constexpr long kRestMs = 350;
    editor_->SendScintilla(QsciScintilla::SCI_SETMOUSEDWELLTIME, static_cast<unsigned long>(kRestMs));
    connect(editor_, &QsciScintilla::SCN_DWELLSTART, this, [this](int, int x, int y) {
        const QString expression = expressionAt({x, y});
        if (!expression.isEmpty()) {
            emit hovered(expression, editor_->viewport()->mapToGlobal(QPoint(x, y)));
        }
    });
    connect(editor_, &QsciScintilla::SCN_DWELLEND, this, [this](int, int, int) { emit hoverEnded(); });
}

QString CodeView::expressionAt(const QPoint& at) const {
    const long position =
        editor_->SendScintilla(QsciScintilla::SCI_CHARPOSITIONFROMPOINTCLOSE,
                               static_cast<unsigned long>(std::max(0, at.x())), static_cast<long>(std::max(0, at.y())));
    if (position < 0) {
        return {};
    }
    const long style = editor_->SendScintilla(QsciScintilla::SCI_GETSTYLEAT, static_cast<unsigned long>(position));
    static const QSet<long> others = {QsciLexerPython::Comment,
                                      QsciLexerPython::CommentBlock,
                                      QsciLexerPython::Keyword,
                                      QsciLexerPython::Number,
                                      QsciLexerPython::DoubleQuotedString,
                                      QsciLexerPython::SingleQuotedString,
                                      QsciLexerPython::TripleSingleQuotedString,
                                      QsciLexerPython::TripleDoubleQuotedString,
                                      QsciLexerPython::UnclosedString};
    if (!lexer_ || others.contains(style)) {
        return {};
    }
    int line = 0, column = 0;
    editor_->lineIndexFromPosition(static_cast<int>(position), &line, &column);
    const QString text = lineText(line);
    static const QRegularExpression name(QStringLiteral("(?<![\\w.\\])])[^\\W\\d]\\w*(?:\\.[^\\W\\d]\\w*)*"),
                                         QRegularExpression::UseUnicodePropertiesOption);
    for (auto it = name.globalMatch(text); it.hasNext();) {
        const auto match = it.next();
        if (column >= match.capturedStart() && column < match.capturedEnd()) {
            const auto end = text.indexOf(QLatin1Char('.'), column);
            return end >= 0 && end < match.capturedEnd() ? match.captured().left(end - match.capturedStart())
                                                         : match.captured();
        }
    }
    return {};
}

QPoint CodeView::pointOf(int line, int column) const {
    const auto position = static_cast<long>(editor_->positionFromLineIndex(line, column));
    return {static_cast<int>(editor_->SendScintilla(QsciScintilla::SCI_POINTXFROMPOSITION, 0ul, position)),
            static_cast<int>(editor_->SendScintilla(QsciScintilla::SCI_POINTYFROMPOSITION, 0ul, position))};
}

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
        int line = caretLine();
        if (click && breakMargin_ && static_cast<QMouseEvent*>(event)->pos().x() < kSymbolPixels + 4) {
            return QWidget::eventFilter(watched, event);  // a breakpoint, no choice
        }
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

void CodeView::defineSymbols() {
    const Theme& t = theme();
    const QRectF disc(3, 3, 10, 10);
    const auto define = [this](int marker, const std::function<void(QPainter&)>& draw) {
        editor_->markerDefine(symbol(*this, draw), marker);
    };
    for (int kind = 0; kind < kBreakKinds; ++kind) {
        define(kFirstBreakMarker + kind, [&, kind = static_cast<BreakMark::Kind>(kind)](QPainter& p) {
            const bool hollow = kind == BreakMark::Kind::Off || kind == BreakMark::Kind::Refused;
            p.setPen(QPen(hollow ? t.mutedText : t.error, 1.6));
            p.setBrush(hollow ? QBrush(t.panel) : QBrush(t.error));
            if (kind == BreakMark::Kind::Log) {
                p.drawPolygon(QPolygonF({{8, 2}, {14, 8}, {8, 14}, {2, 8}}));
                return;
            }
            p.drawEllipse(disc);
            p.setPen(QPen(hollow ? t.mutedText : t.background, 1.8));
            if (kind == BreakMark::Kind::Conditional) {
                p.drawLine(QPointF(5.5, 6.7), QPointF(10.5, 6.7));
                p.drawLine(QPointF(5.5, 9.5), QPointF(10.5, 9.5));
            } else if (kind == BreakMark::Kind::Refused) {
                p.drawLine(QPointF(8, 5.2), QPointF(8, 8.4));
                p.drawPoint(QPointF(8, 10.7));
            }
        });
    }
    const QPolygonF arrow({{2, 5.5}, {8, 5.5}, {8, 2.5}, {14.5, 8}, {8, 13.5}, {8, 10.5}, {2, 10.5}});
    define(kArrowMarker, [&](QPainter& p) {
        p.setPen(QPen(t.background, 1));
        p.setBrush(t.warning);
        p.drawPolygon(arrow);
    });
    define(kCallerMarker, [&](QPainter& p) {
        p.setPen(QPen(t.warning, 1.3));
        p.setBrush(t.panel);
        p.drawPolygon(arrow);
    });
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
    editor_->setMarkerBackgroundColor(blend(t.warning, t.dark ? 0.3 : 0.26), kExecutionMarker);
    defineSymbols();
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
