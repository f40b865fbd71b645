// Panel: what the program under debugging writes, and a line to talk to it: an expression or statement while it stands
// still, its standard input while it runs.
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextDocumentFragment>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "gui/app/panel.hpp"
#include "gui/app/session.hpp"
#include "gui/app/theme.hpp"
#include "gui/debug/debug_session.hpp"

namespace fusescope::gui {

namespace {

constexpr int kMostLines = 20000;
constexpr int kBatchMs = 40;
constexpr int kMostPending = 256 << 10;  // characters: what a batch drops of a flood
constexpr int kMostHistory = 200;

class ConsolePanel : public Panel {
    Q_OBJECT

 public:
    explicit ConsolePanel(Session& session)
        : Panel(session),
          debug_(session.debug()),
          text_(new QPlainTextEdit),
          prompt_(new QLabel),
          line_(new QLineEdit) {
        auto* column = new QVBoxLayout(this);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        const QFont fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont);
        text_->setObjectName("consoleText");
        text_->setReadOnly(true);
        text_->setFrameShape(QFrame::NoFrame);
        text_->setMaximumBlockCount(kMostLines);
        text_->setFont(fixed);
        text_->setUndoRedoEnabled(false);
        text_->setAccessibleName(tr("What the program wrote"));
        text_->setPlaceholderText(tr("Output of the program under debugging."));
        line_->setObjectName("consoleLine");
        line_->setFont(fixed);
        line_->setAccessibleName(tr("Expression, or input of the program"));
        line_->installEventFilter(this);
        prompt_->setFont(fixed);
        prompt_->setForegroundRole(QPalette::PlaceholderText);
        auto* row = new QHBoxLayout;
        row->setContentsMargins(6, 2, 4, 3);
        row->addWidget(prompt_);
        row->addWidget(line_, 1);
        column->addWidget(text_, 1);
        column->addLayout(row);
        batch_.setSingleShot(true);
        batch_.setInterval(kBatchMs);
        connect(&batch_, &QTimer::timeout, this, &ConsolePanel::flush);
        connect(line_, &QLineEdit::returnPressed, this, &ConsolePanel::send);
        connect(&debug_, &DebugSession::wrote, this, [this](const QString& text, const QString& category) {
            say(text, category == QStringLiteral("stderr") || category == QStringLiteral("important") ? Voice::Error
                      : category == QStringLiteral("stdout")                                          ? Voice::Program
                                                             : Voice::Debugger);
        });
        connect(&debug_, &DebugSession::stateChanged, this, &ConsolePanel::showState);
        connect(&debug_, &DebugSession::refused, this, [this](const QString& why) { say(why + '\n', Voice::Error); });
        connect(&debug_, &DebugSession::finished, this,
                [this](const QString& how, bool) { say(how + QChar('\n'), Voice::Debugger); });
        showState();
    }

    void find() override { line_->setFocus(); }

    void takeOver(Panel& old) override {
        auto& other = static_cast<ConsolePanel&>(old);
        other.flush();
        QTextCursor(text_->document()).insertFragment(QTextDocumentFragment(other.text_->document()));
        history_ = other.history_;
        at_ = static_cast<int>(history_.size());
    }

 protected:
    void reload() override {}
    void clear() override {}

    bool eventFilter(QObject* watched, QEvent* event) override {
        if (watched == line_ && event->type() == QEvent::KeyPress) {
            const int key = static_cast<QKeyEvent*>(event)->key();
            if ((key == Qt::Key_Up || key == Qt::Key_Down) && !history_.isEmpty()) {
                at_ = std::clamp(at_ + (key == Qt::Key_Up ? -1 : 1), 0, static_cast<int>(history_.size()));
                line_->setText(history_.value(at_));
                return true;
            }
        }
        return Panel::eventFilter(watched, event);
    }

    void changeEvent(QEvent* event) override {
        Panel::changeEvent(event);
        if (event->type() == QEvent::PaletteChange) {
            // The colours of what is there are a property of its text.
            QTextCursor cursor(text_->document());
            for (QTextBlock block = text_->document()->begin(); block.isValid(); block = block.next()) {
                for (auto it = block.begin(); !it.atEnd(); ++it) {
                    const QTextFragment piece = it.fragment();
                    cursor.setPosition(piece.position());
                    cursor.setPosition(piece.position() + piece.length(), QTextCursor::KeepAnchor);
                    cursor.mergeCharFormat(formatOf(static_cast<Voice>(piece.charFormat().intProperty(kVoice))));
                }
            }
        }
    }

 private:
    enum class Voice { Program, Error, Debugger, User };
    static constexpr int kVoice = QTextFormat::UserProperty + 1;

    static QTextCharFormat formatOf(Voice voice) {
        const Theme& t = theme();
        QTextCharFormat format;
        format.setForeground(voice == Voice::Error      ? t.error
                             : voice == Voice::Debugger ? t.mutedText
                             : voice == Voice::User     ? t.related
                                                        : t.text);
        format.setProperty(kVoice, static_cast<int>(voice));
        return format;
    }

    void say(const QString& text, Voice voice) {
        if (!pending_.isEmpty() && pending_.back().second == voice) {
            pending_.back().first += text;
        } else {
            pending_.push_back({text, voice});
        }
        pendingSize_ += text.size();
        while (pendingSize_ > kMostPending && pending_.size() > 1) {
            pendingSize_ -= pending_.takeFirst().first.size();
        }
        if (pending_.size() == 1 && pendingSize_ > kMostPending) {
            pending_[0].first = pending_[0].first.right(kMostPending / 2);
            pendingSize_ = pending_[0].first.size();
        }
        if (!batch_.isActive()) {
            batch_.start();
        }
    }

    void flush() {
        QScrollBar* const bar = text_->verticalScrollBar();
        const bool atEnd = bar->value() >= bar->maximum() - 1;
        QTextCursor cursor(text_->document());
        cursor.movePosition(QTextCursor::End);
        cursor.beginEditBlock();
        for (const auto& [text, voice] : std::exchange(pending_, {})) {
            cursor.insertText(text, formatOf(voice));
        }
        cursor.endEditBlock();
        pendingSize_ = 0;
        if (atEnd) {
            bar->setValue(bar->maximum());
        }
    }

    void send() {
        const QString line = line_->text();
        const bool running = debug_.state() == DebugSession::State::Running;
        if (!debug_.isActive() || (line.trimmed().isEmpty() && !running)) {
            return;
        }
        line_->clear();
        if (!line.isEmpty() && (history_.isEmpty() || history_.back() != line)) {
            history_.push_back(line);
            if (history_.size() > kMostHistory) {
                history_.removeFirst();
            }
        }
        at_ = static_cast<int>(history_.size());
        if (running) {
            say(line + '\n', Voice::User);
            debug_.type(line, this, [this](bool ok, const QString& text) {
                if (!ok) {
                    say(text + '\n', Voice::Error);
                }
            });
            return;
        }
        say(QStringLiteral("> ") + line + '\n', Voice::User);
        debug_.evaluate(line, this, [this](bool ok, const QString& text) {
            if (!text.isEmpty() && !(ok && text == QStringLiteral("None"))) {
                say(text + '\n', ok ? Voice::Program : Voice::Error);
            }
        });
    }

    void showState() {
        const auto state = debug_.state();
        const bool running = state == DebugSession::State::Running;
        if (running && before_ != DebugSession::State::Stopped) {
            text_->clear();  // another program
            pending_.clear();
            pendingSize_ = 0;
        }
        before_ = state;
        line_->setEnabled(debug_.isActive());
        prompt_->setText(running ? tr("input") : QStringLiteral(">"));
        line_->setPlaceholderText(running ? tr("A line for the program's standard input")
                                  : debug_.isActive()
                                      ? tr("An expression or statement, evaluated where the program stands")
                                      : tr("No program is being debugged."));
    }

    DebugSession& debug_;
    QPlainTextEdit* text_;
    QLabel* prompt_;
    QLineEdit* line_;
    QTimer batch_;
    QVector<QPair<QString, Voice>> pending_;
    qsizetype pendingSize_ = 0;
    QStringList history_;
    int at_ = 0;
    DebugSession::State before_ = DebugSession::State::None;
};

}  // namespace

}  // namespace fusescope::gui

namespace fusescope {

gui::PanelDefinition panel_console() {
    return {QStringLiteral("console"),
            QT_TRANSLATE_NOOP("panel", "Debug Console"),
            QStringLiteral("console"),
            gui::DockPlace::Bottom,
            9,
            QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_4),
            [](gui::Session& session) { return new gui::ConsolePanel(session); },
            true};
}

}  // namespace fusescope

#include "console.moc"
