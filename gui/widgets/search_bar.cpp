// Enter goes on, Shift+Enter goes back, Escape empties the line.
#include "gui/widgets/search_bar.hpp"

#include <QHBoxLayout>
#include <QKeyEvent>

namespace fusescope::gui {

SearchBar::SearchBar(const QString& prompt, QWidget* parent)
    : QWidget(parent), edit_(new QLineEdit), position_(new QLabel), previous_(new QToolButton), next_(new QToolButton) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(2);
    edit_->setPlaceholderText(prompt);
    edit_->setClearButtonEnabled(true);
    edit_->setAccessibleName(prompt);
    edit_->installEventFilter(this);
    edit_->setMinimumWidth(90);
    previous_->setArrowType(Qt::UpArrow);
    previous_->setAutoRaise(true);
    previous_->setToolTip(tr("Previous (Shift+Enter)"));
    previous_->setAccessibleName(tr("Previous match"));
    next_->setArrowType(Qt::DownArrow);
    next_->setAutoRaise(true);
    next_->setToolTip(tr("Next (Enter)"));
    next_->setAccessibleName(tr("Next match"));
    row->addWidget(edit_, 1);
    row->addWidget(position_);
    row->addWidget(previous_);
    row->addWidget(next_);
    connect(edit_, &QLineEdit::textChanged, this, &SearchBar::textChanged);
    connect(previous_, &QToolButton::clicked, this, &SearchBar::previous);
    connect(next_, &QToolButton::clicked, this, &SearchBar::next);
    setPosition(-1, 0);
}

void SearchBar::setPosition(int current, int count) {
    const bool searching = !edit_->text().isEmpty();
    position_->setVisible(searching);
    position_->setText(count == 0    ? tr("none")
                       : current < 0 ? QString::number(count)
                                     : tr("%1 of %2").arg(current + 1).arg(count));
    previous_->setVisible(searching);
    next_->setVisible(searching);
    previous_->setEnabled(count > 0);
    next_->setEnabled(count > 0);
}

void SearchBar::focus() {
    edit_->setFocus(Qt::ShortcutFocusReason);
    edit_->selectAll();
}

bool SearchBar::eventFilter(QObject* watched, QEvent* event) {
    if (watched == edit_ && event->type() == QEvent::ShortcutOverride &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape && !edit_->text().isEmpty()) {
        event->accept();  // else the menu's Escape takes it
        return true;
    }
    if (watched == edit_ && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            if (key->modifiers() & Qt::ShiftModifier) {
                emit previous();
            } else {
                emit next();
            }
            return true;
        }
        if (key->key() == Qt::Key_Escape && !edit_->text().isEmpty()) {
            edit_->clear();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace fusescope::gui
