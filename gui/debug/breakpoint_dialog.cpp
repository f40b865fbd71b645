#include "gui/debug/breakpoint_dialog.hpp"

#include <QDialogButtonBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

namespace fusescope::gui {

BreakpointDialog::BreakpointDialog(const Breakpoint& breakpoint, bool log, QWidget* parent)
    : QDialog(parent), breakpoint_(breakpoint) {
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(QStringLiteral("breakpointDialog"));
    auto* form = new QFormLayout(this);
    const auto field = [&](const QString& name, const QString& value, const QString& hint) {
        auto* edit = new QLineEdit(value);
        edit->setPlaceholderText(hint);
        edit->setAccessibleName(name);
        edit->setMinimumWidth(360);
        form->addRow(name, edit);
        return edit;
    };
    switch (breakpoint.kind) {
        case Breakpoint::Kind::Line:
            setWindowTitle(tr("Breakpoint at %1:%2").arg(QFileInfo(breakpoint.path).fileName()).arg(breakpoint.line));
            break;
        case Breakpoint::Kind::Function:
            setWindowTitle(tr("Breakpoint on a function, op or Cell"));
            text_ = field(tr("Name"), breakpoint.text, tr("train_step, Net.construct, Softmax, encoder.attention"));
            break;
        case Breakpoint::Kind::Watch:
            setWindowTitle(tr("Watchpoint"));
            text_ = field(tr("Stop when"), breakpoint.text, tr("nan, range(0, 1) on op Softmax, expr(max > 10)"));
            break;
    }
    if (breakpoint.kind == Breakpoint::Kind::Watch) {
        auto* help = new QLabel(
            tr("<b>nan</b>, <b>inf</b>, <b>overflow</b>, <b>underflow</b>, <b>zero</b>, <b>unchanged</b>, "
               "<b>changed</b>, <b>range</b>(a, b), <b>change</b>(a), <b>relative_change</b>(a), <b>norm</b>(a), "
               "<b>dead</b>(share) or <b>expr</b>(max &gt; 10), then perhaps <b>on op</b> NAME, <b>on cell</b> PATH, "
               "<b>on parameter</b> NAME, <b>on parameters</b> or <b>on gradients</b>."));
        help->setWordWrap(true);
        form->addRow(help);
    } else {
        condition_ = field(tr("Condition"), breakpoint.condition, tr("Python, such as step > 3"));
        hits_ = field(tr("Hits"), breakpoint.hitCondition, tr("5, == 5 or % 10"));
    }
    if (breakpoint.kind == Breakpoint::Kind::Line) {
        log_ = field(tr("Log, and go on"), breakpoint.logMessage, tr("loss is {loss}"));
    }
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    form->addRow(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        const auto value = [](const QLineEdit* edit) { return edit ? edit->text().trimmed() : QString(); };
        if (text_) {
            breakpoint_.text = value(text_);
        }
        breakpoint_.condition = value(condition_);
        breakpoint_.hitCondition = value(hits_);
        breakpoint_.logMessage = value(log_);
        accept();
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    if (text_) {
        QPushButton* const ok = buttons->button(QDialogButtonBox::Ok);
        ok->setEnabled(!breakpoint.text.isEmpty());
        connect(text_, &QLineEdit::textChanged, ok,
                [ok](const QString& text) { ok->setEnabled(!text.trimmed().isEmpty()); });
    }
    (text_ ? text_ : log && log_ ? log_ : condition_)->setFocus();
}

}  // namespace fusescope::gui
