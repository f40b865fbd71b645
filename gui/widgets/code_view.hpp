// Read-only text with line numbers in the colours of the theme: Python sources and graph texts.
#pragma once

#include <QColor>
#include <QPoint>
#include <QSet>
#include <QString>
#include <QVector>
#include <QWidget>

class QsciScintilla;
class QsciLexer;

namespace fusescope::gui {

class InlineNotes;

class CodeView : public QWidget {
    Q_OBJECT

 public:
    enum class Language { Python, Plain };

    explicit CodeView(Language language, QWidget* parent = nullptr);

    void setText(const QString& text);
    /// Says what it is in the language of now.
    void retranslate();
    QString text() const;
    /// One short text and a share in 0…1 for the heat behind it, per 0-based line; shown left of the numbers.
    struct MarginNote {
        int line = 0;
        QString text;
        double share = 0;
    };
    void setMargin(const QVector<MarginNote>& notes);
    /// The line of the selection, and those it touches; 0-based, -1 for none.
    void setMarks(int current, const QSet<int>& related);
    /// Backgrounds of lines, in at most four colours.
    struct Tint {
        int line = 0;  ///< 0-based
        QColor color;
    };
    void setTints(const QVector<Tint>& tints);
    int currentMark() const { return current_; }
    /// Scrolls so that the 0-based line is away from the edges.
    void reveal(int line);

    /// A margin on the left for breakpoints, which can be clicked.
    void showBreakMargin();
    struct BreakMark {
        enum class Kind { Plain, Conditional, Log, Off, Refused };
        int line = 0;  ///< 0-based
        Kind kind = Kind::Plain;
    };
    void setBreakMarks(const QVector<BreakMark>& marks);
    /// Where a program stands; -1 for nowhere. `innermost`: it is there itself, and not in a function called from
    /// there.
    void setExecutionLine(int line, bool innermost);
    int executionLine() const { return execution_; }
    /// Text behind the end of lines.
    struct InlineNote {
        int line = 0;  ///< 0-based
        QString text;
    };
    void setInlineNotes(const QVector<InlineNote>& notes);
    QVector<InlineNote> inlineNotes() const;
    /// Lets hovered() be sent.
    void watchHover();
    /// The name at a point of the text area; empty where there is none.
    QString expressionAt(const QPoint& at) const;
    /// Where a column of a line is in the text area.
    QPoint pointOf(int line, int column) const;
    int caretLine() const;
    QString lineText(int line) const;

    int firstVisibleLine() const;
    void setFirstVisibleLine(int line);

 signals:
    /// The user clicked on, or moved the caret to, this 0-based line.
    void lineChosen(int line);
    void scrolled(int firstLine);
    void breakMarginClicked(int line);
    /// The mouse rests on a name ("x", "net.fc": up to the part under it) that is neither in a comment nor a string.
    void hovered(const QString& expression, const QPoint& global);
    void hoverEnded();
    void breakMarginMenuAsked(int line, const QPoint& global);

 protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

 private:
    void restyle();
    void defineSymbols();

    QsciScintilla* editor_;
    QsciLexer* lexer_ = nullptr;
    InlineNotes* notes_;
    int current_ = -1;
    int execution_ = -1;
    bool breakMargin_ = false;
};

}  // namespace fusescope::gui
