#include "gui/tensor/tensor_page.hpp"

#include <QLabel>
#include <QStackedLayout>

namespace fusescope::gui {

QLabel* TensorPage::makeHint() {
    auto* hint = new QLabel;
    hint->setAlignment(Qt::AlignCenter);
    hint->setWordWrap(true);
    hint->setMargin(24);
    hint->setForegroundRole(QPalette::PlaceholderText);
    hint->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    return hint;
}

TensorPage::TensorPage(Jobs& jobs)
    : jobs_(jobs), layers_(new QStackedLayout(this)), body_(new QWidget), hint_(makeHint()) {
    layers_->addWidget(body_);
    layers_->addWidget(hint_);
}

void TensorPage::setTensor(const tensors::Array& array, const QString& missing) {
    array_ = array;
    missing_ = missing;
    element_ = -1;
    invalidate();
}

void TensorPage::setElement(qint64 flat) {
    if (flat == element_ || flat >= array_.count()) {
        return;
    }
    element_ = flat;
    if (isVisible() && array_ && !stale_) {
        elementChanged();
    }
}

void TensorPage::invalidate() {
    stale_ = true;
    if (isVisible()) {
        update();
    }
}

void TensorPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    update();
}

void TensorPage::update() {
    if (stale_) {
        stale_ = false;
        const bool shown = array_ && array_.count() > 0;
        hint_->setText(array_ && !shown ? tr("The tensor has no elements.") : missing_);
        layers_->setCurrentWidget(shown ? body_ : hint_);
        if (!shown) {
            return;
        }
        refresh();
    }
    if (array_ && array_.count() > 0) {
        elementChanged();
    }
}

QString TensorPage::indexText(qint64 flat, const Shape& shape) {
    return QString::fromStdString(to_string(tensors::index_of(flat, shape)));
}

}  // namespace fusescope::gui
