#include "gui/tensor/slice_bar.hpp"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSpinBox>
#include <algorithm>

namespace fusescope::gui {

namespace {

constexpr int kMostPlaces = 6;  // spin boxes beyond this would not fit; those axes stand at 0

}  // namespace

SliceBar::SliceBar(qint64 wrap, QWidget* parent)
    : QWidget(parent), wrap_(wrap), row_(new QHBoxLayout(this)), axes_(nullptr), axisRow_(nullptr) {
    row_->setContentsMargins(6, 4, 6, 4);
    row_->addStretch(1);
    fill();
}

void SliceBar::setShape(const Shape& shape) {
    if (slice_.shape().size() == shape.size() && shape.rank() > 1) {
        slice_ = tensors::Slice(shape, slice_.row_axis(), slice_.column_axis(), slice_.index(), wrap_);
    } else {
        slice_ = tensors::Slice(shape, wrap_);
    }
    fill();
}

bool SliceBar::showElement(qint64 flat) {
    const auto spot = slice_.showing(flat);
    if (std::equal(spot.slice.index().begin(), spot.slice.index().end(), slice_.index().begin())) {
        return false;
    }
    slice_ = spot.slice;
    for (int axis = 0; axis < places_.size(); ++axis) {
        if (places_[axis]) {
            const QSignalBlocker blocker(places_[axis]);
            places_[axis]->setValue(static_cast<int>(slice_.index()[static_cast<std::size_t>(axis)]));
        }
    }
    return true;
}

void SliceBar::addWidget(QWidget* widget) { row_->addWidget(widget); }

void SliceBar::fill() {
    if (axes_) {
        axes_->hide();
        axes_->deleteLater();  // it may be one of its own boxes that asked for this
    }
    axes_ = new QWidget;
    axisRow_ = new QHBoxLayout(axes_);
    axisRow_->setContentsMargins(0, 0, 0, 0);
    row_->insertWidget(0, axes_);
    places_.clear();
    down_ = across_ = nullptr;
    const Shape& shape = slice_.shape();
    if (shape.rank() < 2) {
        return;
    }
    const auto choose = [&](const QString& text, const QString& name, int axis) {
        auto* label = new QLabel(text);
        auto* box = new QComboBox;
        box->setObjectName(name);
        box->setAccessibleName(text);
        label->setBuddy(box);
        for (int i = 0; i < shape.rank(); ++i) {
            box->addItem(tr("axis %1 (%2)").arg(i).arg(shape[static_cast<std::size_t>(i)]));
        }
        box->setCurrentIndex(axis);
        axisRow_->addWidget(label);
        axisRow_->addWidget(box);
        return box;
    };
    down_ = choose(tr("Down:"), QStringLiteral("sliceDown"), slice_.row_axis());
    across_ = choose(tr("Across:"), QStringLiteral("sliceAcross"), slice_.column_axis());
    // Choosing the other's axis exchanges the two.
    connect(down_, &QComboBox::activated, this, [this](int axis) {
        if (axis == across_->currentIndex()) {
            across_->setCurrentIndex(slice_.row_axis());
        }
        read();
    });
    connect(across_, &QComboBox::activated, this, [this](int axis) {
        if (axis == down_->currentIndex()) {
            down_->setCurrentIndex(slice_.column_axis());
        }
        read();
    });
    int shown = 0;
    for (int axis = 0; axis < shape.rank(); ++axis) {
        places_.push_back(nullptr);
        if (axis == slice_.row_axis() || axis == slice_.column_axis() || ++shown > kMostPlaces) {
            continue;
        }
        auto* place = new QSpinBox;
        place->setObjectName(QStringLiteral("slicePlace%1").arg(axis));
        place->setAccessibleName(tr("Index along axis %1").arg(axis));
        place->setPrefix(tr("axis %1: ").arg(axis));
        place->setSuffix(tr(" of %1").arg(shape[static_cast<std::size_t>(axis)]));
        place->setRange(0, static_cast<int>(std::min<qint64>(shape[static_cast<std::size_t>(axis)] - 1, 1 << 30)));
        place->setValue(static_cast<int>(slice_.index()[static_cast<std::size_t>(axis)]));
        place->setKeyboardTracking(false);
        connect(place, &QSpinBox::valueChanged, this, &SliceBar::read);
        axisRow_->addWidget(place);
        places_.back() = place;
    }
}

void SliceBar::read() {
    Shape index = slice_.index();
    for (int axis = 0; axis < places_.size(); ++axis) {
        if (places_[axis]) {
            index[static_cast<std::size_t>(axis)] = places_[axis]->value();
        }
    }
    const bool axesChanged =
        down_->currentIndex() != slice_.row_axis() || across_->currentIndex() != slice_.column_axis();
    slice_ = tensors::Slice(slice_.shape(), down_->currentIndex(), across_->currentIndex(), index, wrap_);
    if (axesChanged) {
        fill();
    }
    emit changed();
}

}  // namespace fusescope::gui
