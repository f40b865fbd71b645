#include "gui/debug/code_breaks.hpp"

#include <QMenu>
#include <QRegularExpression>
#include <QShortcut>
#include <QToolTip>

#include "gui/debug/breakpoint_dialog.hpp"
#include "gui/debug/debug_session.hpp"
#include "gui/widgets/code_view.hpp"

namespace fusescope::gui {

namespace {

constexpr int kLinesWithValues = 12;  // up to the current one
constexpr int kLongestNote = 160;
constexpr int kLongestHover = 1000;

}  // namespace

CodeBreaks::CodeBreaks(DebugSession& debug, CodeView& view) : QObject(&view), debug_(debug), view_(view) {
    view.showBreakMargin();
    connect(&view, &CodeView::breakMarginClicked, this, &CodeBreaks::toggle);
    connect(&view, &CodeView::breakMarginMenuAsked, this, &CodeBreaks::menu);
    connect(&debug.breakpoints(), &Breakpoints::changed, this, &CodeBreaks::showMarks);
    connect(&debug, &DebugSession::frameChanged, this, &CodeBreaks::showPlace);
    connect(&debug, &DebugSession::localsChanged, this, &CodeBreaks::showValues);
    view.watchHover();
    connect(&view, &CodeView::hovered, this, &CodeBreaks::look);
    connect(&view, &CodeView::hoverEnded, this, [this] {
        ++hover_;
        QToolTip::hideText();
    });
    auto* key = new QShortcut(QKeySequence(Qt::CTRL | Qt::Key_B), &view);
    key->setContext(Qt::WidgetWithChildrenShortcut);
    connect(key, &QShortcut::activated, this, [this] { toggle(view_.caretLine()); });
}

void CodeBreaks::setPath(const QString& path) {
    path_ = path;
    showMarks();
    showPlace();
    showValues();
}

void CodeBreaks::setRecorded(const QVector<CodeView::InlineNote>& notes) {
    recorded_ = notes;
    if (!debug_.isActive()) {
        view_.setInlineNotes(notes);
    }
}

void CodeBreaks::toggle(int line) {
    if (!path_.isEmpty()) {
        debug_.breakpoints().toggleLine(path_, line + 1);
    }
}

void CodeBreaks::showMarks() {
    QVector<CodeView::BreakMark> marks;
    for (const Breakpoint& b : debug_.breakpoints().all()) {
        if (b.kind == Breakpoint::Kind::Line && b.path == path_) {
            using Kind = CodeView::BreakMark::Kind;
            const bool conditional = !b.condition.isEmpty() || !b.hitCondition.isEmpty();
            marks.push_back({b.line - 1, !b.enabled                ? Kind::Off
                                         : b.refused()             ? Kind::Refused
                                         : !b.logMessage.isEmpty() ? Kind::Log
                                         : conditional             ? Kind::Conditional
                                                                   : Kind::Plain});
        }
    }
    view_.setBreakMarks(marks);
}

void CodeBreaks::showPlace() {
    const DebugFrame* const frame = debug_.frame();
    const bool here = frame && !path_.isEmpty() && frame->path == path_ && frame->line > 0;
    view_.setExecutionLine(here ? frame->line - 1 : -1, debug_.frameIndex() == 0);
    if (here) {
        view_.reveal(frame->line - 1);
    }
    view_.setInlineNotes(debug_.isActive() ? QVector<CodeView::InlineNote>() : recorded_);
}

// A name's value stands behind the last line that uses it, not below the line that runs next.
void CodeBreaks::showValues() {
    QVector<CodeView::InlineNote> notes;
    if (!debug_.isActive()) {
        return view_.setInlineNotes(recorded_);
    }
    const DebugFrame* const frame = debug_.frame();
    if (!frame || frame->path != path_ || frame->graph || path_.isEmpty()) {
        return view_.setInlineNotes(notes);
    }
    QHash<QString, QString> values;
    for (const DebugVariable& v : debug_.locals()) {
        if (v.type != QStringLiteral("type") && v.type != QStringLiteral("module") &&
            v.name != QStringLiteral("self")) {
            values.insert(v.name, v.value);
        }
    }
    static const QRegularExpression word(QStringLiteral("(?<![\\w.])[A-Za-z_]\\w*"));
    static const QRegularExpression comment(QStringLiteral("#.*|\"[^\"]*\"|'[^']*'"));
    static const QRegularExpression begins(QStringLiteral("^\\s*(async\\s+def|def|class)\\b"));
    for (int line = frame->line - 1, n = 0; line >= 0 && n < kLinesWithValues && !values.isEmpty(); --line, ++n) {
        const QString text = view_.lineText(line).remove(comment);
        QStringList parts;
        auto match = word.globalMatch(text);
        while (match.hasNext()) {
            const QString name = match.next().captured();
            const auto value = values.constFind(name);
            if (value != values.constEnd()) {
                parts << name + QStringLiteral(" = ") + value.value();
                values.erase(value);
            }
        }
        if (!parts.isEmpty()) {
            notes.push_back({line, parts.join(QStringLiteral(",  ")).left(kLongestNote)});
        }
        if (begins.match(text).hasMatch()) {
            break;  // the lines above are another function's
        }
    }
    view_.setInlineNotes(notes);
}

void CodeBreaks::look(const QString& expression, const QPoint& global) {
    const DebugFrame* const frame = debug_.frame();
    if (!frame || frame->path != path_ || path_.isEmpty() || debug_.state() != DebugSession::State::Stopped) {
        return;
    }
    debug_.look(expression, this, [this, number = ++hover_, global](const QVector<DebugVariable>& found) {
        if (number != hover_ || found.isEmpty()) {
            return;
        }
        const DebugVariable& v = found.front();
        const QString value =
            v.value.size() > kLongestHover ? v.value.left(kLongestHover) + QStringLiteral("…") : v.value;
        // A short value stays on one line; a long one is broken where the tool tip ends.
        constexpr qsizetype kOneLine = 90;
        QToolTip::showText(global,
                           QStringLiteral("<p style='white-space: %1'><b>%2</b> &nbsp;<i>%3</i><br><code>%4</code></p>")
                               .arg(value.size() > kOneLine ? QStringLiteral("pre-wrap") : QStringLiteral("pre"),
                                    v.name.toHtmlEscaped(), v.type.toHtmlEscaped(), value.toHtmlEscaped()),
                           &view_);
    });
}

void CodeBreaks::menu(int line, const QPoint& global) {
    if (path_.isEmpty()) {
        return;
    }
    Breakpoints& all = debug_.breakpoints();
    const int at = all.indexOf(path_, line + 1);
    auto* menu = new QMenu(&view_);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(at < 0 ? tr("Add Breakpoint") : tr("Remove Breakpoint"), this, [this, line] { toggle(line); });
    menu->addAction(at < 0 ? tr("Add Conditional Breakpoint…") : tr("Condition…"), this,
                    [this, line] { edit(line, false); });
    menu->addAction(at < 0 ? tr("Add Log Point…") : tr("Log Text…"), this, [this, line] { edit(line, true); });
    if (at >= 0) {
        const bool on = all.all()[at].enabled;
        menu->addAction(on ? tr("Disable") : tr("Enable"), this, [this, line, on] {
            const int now = debug_.breakpoints().indexOf(path_, line + 1);
            if (now >= 0) {
                Breakpoint b = debug_.breakpoints().all()[now];
                b.enabled = !on;
                debug_.breakpoints().replace(now, b);
            }
        });
    }
    menu->popup(global);
}

void CodeBreaks::edit(int line, bool log) {
    const int at = debug_.breakpoints().indexOf(path_, line + 1);
    Breakpoint b;
    b.path = path_;
    b.line = line + 1;
    if (at >= 0) {
        b = debug_.breakpoints().all()[at];
    }
    auto* dialog = new BreakpointDialog(b, log, &view_);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        const Breakpoint& chosen = dialog->breakpoint();
        const int now = debug_.breakpoints().indexOf(chosen.path, chosen.line);
        if (now >= 0) {
            debug_.breakpoints().replace(now, chosen);
        } else {
            debug_.breakpoints().add(chosen);
        }
    });
    dialog->open();
}

}  // namespace fusescope::gui
