// Panel: what the program wrote to stdout and stderr.
#include "profiler/query/output.hpp"

#include <QFontDatabase>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QVBoxLayout>

#include "gui/app/panel.hpp"
#include "gui/app/session.hpp"
#include "gui/app/theme.hpp"

namespace fusescope::gui {

namespace {

constexpr int kMostLines = 200000;

class OutputPanel : public Panel {
    Q_OBJECT

 public:
    explicit OutputPanel(Session& session) : Panel(session), text_(new QPlainTextEdit) {
        auto* column = new QVBoxLayout(this);
        column->setContentsMargins(0, 0, 0, 0);
        column->addWidget(text_);
        text_->setObjectName("outputText");
        text_->setReadOnly(true);
        text_->setFrameShape(QFrame::NoFrame);
        text_->setMaximumBlockCount(kMostLines);
        text_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
        text_->setLineWrapMode(QPlainTextEdit::NoWrap);
        text_->setAccessibleName(tr("Output of the program"));
        text_->setPlaceholderText(tr("The program wrote nothing."));
    }

 protected:
    void reload() override {
        session_.jobs().run(
            this, QStringLiteral("output"),
            [last = last_](JobContext& context) { return query::output(context.database(), last); },
            [this](std::vector<query::OutputPiece> pieces) { append(pieces); });
    }

    void clear() override {
        text_->clear();
        pieces_.clear();
        last_ = 0;
    }

    void changeEvent(QEvent* event) override {
        Panel::changeEvent(event);
        if (event->type() == QEvent::PaletteChange && !pieces_.empty()) {
            const auto pieces = std::exchange(pieces_, {});
            text_->clear();
            last_ = 0;
            append(pieces);
        }
    }

 private:
    void append(const std::vector<query::OutputPiece>& pieces) {
        const bool atEnd = text_->verticalScrollBar()->value() == text_->verticalScrollBar()->maximum();
        QTextCursor cursor(text_->document());
        cursor.movePosition(QTextCursor::End);
        cursor.beginEditBlock();
        for (const auto& piece : pieces) {
            if (piece.id <= last_) {
                continue;
            }
            QTextCharFormat format;
            format.setForeground(piece.stream == "stderr" ? theme().error : theme().text);
            cursor.insertText(QString::fromStdString(piece.text), format);
            last_ = piece.id;
            pieces_.push_back(piece);
        }
        cursor.endEditBlock();
        if (atEnd) {
            text_->verticalScrollBar()->setValue(text_->verticalScrollBar()->maximum());
        }
    }

    QPlainTextEdit* text_;
    std::vector<query::OutputPiece> pieces_;  // kept for another colour when the theme changes
    std::int64_t last_ = 0;
};

}  // namespace

}  // namespace fusescope::gui

namespace fusescope {

gui::PanelDefinition panel_output() {
    return {QStringLiteral("output"),
            QT_TRANSLATE_NOOP("panel", "Output"),
            QStringLiteral("output"),
            gui::DockPlace::Bottom,
            8,
            QKeySequence(Qt::CTRL | Qt::Key_9),
            [](gui::Session& session) { return new gui::OutputPanel(session); }};
}

}  // namespace fusescope

#include "output.moc"
