// The keyboard stays in the line; keys that walk a list are handed on to the list.
#include "gui/widgets/chooser.hpp"

#include <QApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include "gui/app/theme.hpp"

namespace fusescope::gui {

namespace {

constexpr int kWidth = 720;
constexpr int kMostRows = 14;

// Kind, text and detail in three columns, each elided where it does not fit.
class ChoiceDelegate : public QStyledItemDelegate {
 public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override {
        return {100, option.fontMetrics.height() + 8};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const bool chosen = option.state & QStyle::State_Selected;
        const bool enabled = index.flags() & Qt::ItemIsEnabled;
        const QPalette& colors = option.palette;
        if (chosen) {
            painter->fillRect(option.rect, colors.color(QPalette::Highlight));
        }
        const QColor text = colors.color(enabled ? QPalette::Normal : QPalette::Disabled,
                                         chosen ? QPalette::HighlightedText : QPalette::Text);
        const QColor muted = chosen ? text : theme().mutedText;
        const QFontMetrics& metrics = option.fontMetrics;
        const QRect rect = option.rect.adjusted(10, 0, -10, 0);
        const int kindWidth = metrics.averageCharWidth() * 11;
        painter->setFont(option.font);
        painter->setPen(muted);
        const QString kind = index.data(ChoiceModel::KindRole).toString();
        const int left = kind.isEmpty() ? 0 : kindWidth;
        painter->drawText(QRect(rect.left(), rect.top(), kindWidth - 6, rect.height()),
                          Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(kind, Qt::ElideRight, kindWidth - 6));
        const QString name = index.data(Qt::DisplayRole).toString();
        const QString detail = index.data(ChoiceModel::DetailRole).toString();
        const int room = rect.width() - left;
        const int wanted = metrics.horizontalAdvance(name) + 16;
        const int detailWidth =
            std::min(metrics.horizontalAdvance(detail), std::max(room - wanted, std::min(room / 3, room)));
        painter->drawText(QRect(rect.right() - detailWidth, rect.top(), detailWidth, rect.height()),
                          Qt::AlignRight | Qt::AlignVCenter, metrics.elidedText(detail, Qt::ElideLeft, detailWidth));
        painter->setPen(text);
        const int nameWidth = room - detailWidth - (detail.isEmpty() ? 0 : 12);
        painter->drawText(QRect(rect.left() + left, rect.top(), nameWidth, rect.height()),
                          Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(name, Qt::ElideRight, nameWidth));
    }
};

}  // namespace

void ChoiceModel::setChoices(QVector<Choice> choices) {
    beginResetModel();
    choices_ = std::move(choices);
    endResetModel();
}

int ChoiceModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(choices_.size());
}

QVariant ChoiceModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const Choice& choice = choices_[index.row()];
    switch (role) {
        case Qt::DisplayRole:
            return choice.text;
        case KindRole:
            return choice.kind;
        case DetailRole:
            return choice.detail;
        case Qt::AccessibleTextRole:
            return QStringList{choice.kind, choice.text, choice.detail}.join(' ').trimmed();
        default:
            return {};
    }
}

Qt::ItemFlags ChoiceModel::flags(const QModelIndex& index) const {
    if (!index.isValid()) {
        return Qt::NoItemFlags;
    }
    return choices_[index.row()].enabled ? Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren
                                         : Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
}

Chooser::Chooser(QWidget* window)
    : QFrame(window),
      edit_(new QLineEdit),
      expression_(new QToolButton),
      list_(new QListView),
      note_(new QLabel),
      model_(new ChoiceModel(this)) {
    setObjectName(QStringLiteral("chooser"));
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    edit_->setObjectName(QStringLiteral("chooserText"));
    edit_->setMinimumHeight(30);
    edit_->installEventFilter(this);
    expression_->setText(QStringLiteral(".*"));
    expression_->setCheckable(true);
    expression_->setAutoRaise(true);
    expression_->setFocusPolicy(Qt::NoFocus);
    list_->setObjectName(QStringLiteral("chooserList"));
    list_->setModel(model_);
    list_->setItemDelegate(new ChoiceDelegate(list_));
    list_->setFrameShape(QFrame::NoFrame);
    list_->setUniformItemSizes(true);
    list_->setFocusPolicy(Qt::NoFocus);
    list_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    note_->setForegroundRole(QPalette::PlaceholderText);
    note_->setMargin(6);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(6, 6, 6, 4);
    row->addWidget(edit_, 1);
    row->addWidget(expression_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(1, 1, 1, 1);
    column->setSpacing(0);
    column->addLayout(row);
    column->addWidget(list_);
    column->addWidget(note_);
    setFocusProxy(edit_);
    window->installEventFilter(this);
    connect(edit_, &QLineEdit::textChanged, this, [this] {
        walked_ = false;
        emit changed();
    });
    connect(expression_, &QToolButton::toggled, this, &Chooser::changed);
    connect(list_, &QListView::clicked, this, [this](const QModelIndex& index) {
        list_->setCurrentIndex(index);
        choose();
    });
    retranslate();
    hide();
}

void Chooser::retranslate() {
    edit_->setAccessibleName(tr("What to go to or to do"));
    list_->setAccessibleName(tr("What it may mean"));
    expression_->setToolTip(tr("Regular expression (Alt+R)"));
    expression_->setAccessibleName(tr("Regular expression"));
}

void Chooser::open(const QString& text) {
    if (!isVisible()) {
        before_ = QApplication::focusWidget();
    }
    walked_ = false;
    const bool same = edit_->text() == text;
    edit_->setText(text);
    place();
    show();
    raise();
    edit_->setFocus(Qt::OtherFocusReason);  // what is typed stays unselected
    if (same) {
        emit changed();
    }
}

void Chooser::dismiss() {
    if (!isVisible()) {
        return;
    }
    const bool had = edit_->hasFocus();
    hide();
    if (had && before_ && before_->isVisible()) {
        before_->setFocus(Qt::OtherFocusReason);
    }
}

void Chooser::setChoices(QVector<Choice> now) {
    const auto nameAt = [this](int row) { return choices().value(row).kind + choices().value(row).text; };
    const QString before = nameAt(list_->currentIndex().row());
    model_->setChoices(std::move(now));
    int row = 0;
    for (int i = 0; walked_ && i < choices().size(); ++i) {
        if (nameAt(i) == before) {
            row = i;
            break;
        }
    }
    if (model_->rowCount() > 0) {
        list_->setCurrentIndex(model_->index(row));
    }
    place();
}

void Chooser::setNote(const QString& note) {
    note_->setText(note);
    note_->setVisible(!note.isEmpty());
    place();
}

void Chooser::setPrompt(const QString& prompt) { edit_->setPlaceholderText(prompt); }

void Chooser::place() {
    const QWidget* window = parentWidget();
    const int width = std::min(kWidth, window->width() - 40);
    const int row = fontMetrics().height() + 8;
    list_->setFixedHeight(row * std::min(kMostRows, model_->rowCount()));
    list_->setVisible(model_->rowCount() > 0);
    layout()->activate();
    setGeometry((window->width() - width) / 2, std::min(60, window->height() / 10), width, sizeHint().height());
}

void Chooser::choose() {
    const QModelIndex index = list_->currentIndex();
    if (index.isValid() && (index.flags() & Qt::ItemIsEnabled)) {
        const int row = index.row();
        dismiss();
        emit chosen(row);
    }
}

bool Chooser::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parentWidget() && event->type() == QEvent::Resize && isVisible()) {
        place();
    }
    if (watched == edit_ && event->type() == QEvent::FocusOut && QApplication::activePopupWidget() == nullptr) {
        hide();
    }
    if (watched != edit_ || (event->type() != QEvent::KeyPress && event->type() != QEvent::ShortcutOverride)) {
        return QFrame::eventFilter(watched, event);
    }
    auto* key = static_cast<QKeyEvent*>(event);
    switch (key->key()) {
        case Qt::Key_Up:
        case Qt::Key_Down:
        case Qt::Key_PageUp:
        case Qt::Key_PageDown:
            if (event->type() == QEvent::KeyPress) {
                walked_ = true;
                QCoreApplication::sendEvent(list_, event);
            }
            return true;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (event->type() == QEvent::KeyPress) {
                choose();
            }
            return true;
        case Qt::Key_Escape:
            event->accept();  // else the menu's Escape takes it
            if (event->type() == QEvent::KeyPress) {
                dismiss();
            }
            return true;
        case Qt::Key_R:  // a menu has the same key
            if (key->modifiers() != Qt::AltModifier) {
                return false;
            }
            event->accept();
            if (event->type() == QEvent::KeyPress) {
                expression_->toggle();
            }
            return true;
        case Qt::Key_Tab:
        case Qt::Key_Backtab:
            return true;  // there is nothing else to go to
        default:
            return QFrame::eventFilter(watched, event);
    }
}

void Chooser::changeEvent(QEvent* event) {
    QFrame::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
    }
}

}  // namespace fusescope::gui
