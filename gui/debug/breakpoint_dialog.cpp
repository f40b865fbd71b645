#include "gui/debug/breakpoint_dialog.hpp"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <algorithm>

#include "gui/debug/watch_condition.hpp"

namespace fusescope::gui {

BreakpointDialog::BreakpointDialog(const Breakpoint& breakpoint, bool log, QWidget* parent)
    : QDialog(parent), breakpoint_(breakpoint), form_(new QFormLayout(this)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(QStringLiteral("breakpointDialog"));
    form_->setSizeConstraint(QLayout::SetFixedSize);  // it follows the fields that come and go
    switch (breakpoint.kind) {
        case Breakpoint::Kind::Line:
            setWindowTitle(tr("Breakpoint at %1:%2").arg(QFileInfo(breakpoint.path).fileName()).arg(breakpoint.line));
            break;
        case Breakpoint::Kind::Function:
            setWindowTitle(tr("Breakpoint on a function, op or Cell"));
            text_ =
                field("text", tr("Name"), breakpoint.text, tr("train_step, Net.construct, Softmax, encoder.attention"));
            break;
        case Breakpoint::Kind::Watch:
            setWindowTitle(tr("Watchpoint"));
            addWatch();
            break;
        case Breakpoint::Kind::Data:
            setWindowTitle(tr("Breakpoint on the change of a Parameter"));
            text_ = field("text", tr("Parameter"), breakpoint.text, QStringLiteral("fc.weight"));
            break;
    }
    if (breakpoint.kind == Breakpoint::Kind::Line || breakpoint.kind == Breakpoint::Kind::Function) {
        condition_ = field("condition", tr("Condition"), breakpoint.condition, tr("Python, such as step > 3"));
        hits_ = field("hits", tr("Hits"), breakpoint.hitCondition, tr("5, == 5 or % 10"));
    }
    if (breakpoint.kind == Breakpoint::Kind::Line) {
        log_ = field("log", tr("Log, and go on"), breakpoint.logMessage, tr("loss is {loss}"));
    }
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    form_->addRow(buttons);
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
        ok->setEnabled(!text_->text().isEmpty());
        connect(text_, &QLineEdit::textChanged, ok,
                [ok](const QString& text) { ok->setEnabled(!text.trimmed().isEmpty()); });
    }
    (kind_ ? static_cast<QWidget*>(kind_) : text_ ? text_ : log && log_ ? log_ : condition_)->setFocus();
}

QLineEdit* BreakpointDialog::field(const char* id, const QString& name, const QString& value, const QString& hint) {
    auto* edit = new QLineEdit(value);
    edit->setObjectName(QLatin1String(id));
    edit->setPlaceholderText(hint);
    edit->setAccessibleName(name);
    edit->setMinimumWidth(360);
    auto* label = new QLabel(name);
    label->setBuddy(edit);
    form_->addRow(label, edit);
    return edit;
}

void BreakpointDialog::addWatch() {
    const auto box = [this](const char* id, const QString& name) {
        auto* made = new QComboBox;
        made->setObjectName(QLatin1String(id));
        made->setAccessibleName(name);
        made->setMaxVisibleItems(20);
        form_->addRow(name, made);
        return made;
    };
    kind_ = box("watchKind", tr("Stop when a value"));
    for (const auto& kind : WatchCondition::kinds()) {
        kind_->addItem(kind.title, kind.word);
    }
    first_ = field("watchFirst", {}, {}, {});
    second_ = field("watchSecond", {}, {}, {});
    on_ = box("watchOn", tr("Look at"));
    for (const auto& place : WatchCondition::places()) {
        on_->addItem(place.title, place.word);
    }
    target_ = field("watchTarget", {}, {}, {});
    text_ = field("watchText", tr("As text"), breakpoint_.text, {});
    text_->setToolTip(tr("What the debugger reads. It can be written here as well."));
    decompose();
    showFields();
    const auto chosen = [this] {
        showFields();
        compose();
    };
    connect(kind_, &QComboBox::activated, this, chosen);
    connect(on_, &QComboBox::activated, this, chosen);
    for (QLineEdit* edit : {first_, second_, target_}) {
        connect(edit, &QLineEdit::textEdited, this, &BreakpointDialog::compose);
    }
    connect(text_, &QLineEdit::textEdited, this, [this] {
        decompose();
        showFields();
    });
    if (breakpoint_.text.isEmpty()) {
        compose();
    }
}

void BreakpointDialog::compose() {
    WatchCondition condition;
    condition.kind = kind_->currentData().toString();
    condition.a = first_->text().trimmed();
    condition.b = second_->text().trimmed();
    condition.on = on_->currentData().toString();
    condition.target = target_->text().trimmed();
    text_->setText(condition.text());
}

void BreakpointDialog::decompose() {
    const std::optional<WatchCondition> condition = WatchCondition::of(text_->text());
    if (!condition) {
        return;
    }
    kind_->setCurrentIndex(kind_->findData(condition->kind));
    first_->setText(condition->a);
    second_->setText(condition->b);
    on_->setCurrentIndex(std::max(0, on_->findData(condition->on)));
    target_->setText(condition->target);
}

void BreakpointDialog::showFields() {
    const auto show = [this](QLineEdit* edit, const QString& name, const QString& hint) {
        form_->setRowVisible(edit, !name.isEmpty());
        if (auto* label = qobject_cast<QLabel*>(form_->labelForField(edit))) {
            label->setText(name);
        }
        edit->setAccessibleName(name);
        edit->setPlaceholderText(hint);
    };
    const WatchCondition::Kind kind = WatchCondition::kinds().value(kind_->currentIndex());
    show(first_, kind.first, kind.firstHint);
    show(second_, kind.second, kind.secondHint);
    const WatchCondition::Place place = WatchCondition::places().value(on_->currentIndex());
    show(target_, place.target, place.hint);
}

}  // namespace fusescope::gui
