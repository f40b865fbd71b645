#include "gui/tensor/image_page.hpp"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/app/theme.hpp"
#include "gui/tensor/heat_map.hpp"
#include "profiler/tensors/image.hpp"

namespace fusescope::gui {

namespace {

constexpr int kMostPixels = 2048;
constexpr qint64 kMostChannels = 512;  // in the box

}  // namespace

ImagePage::ImagePage(Jobs& jobs)
    : TensorPage(jobs),
      layout_(new QComboBox),
      channel_(new QComboBox),
      range_(new QComboBox),
      number_(new QSpinBox),
      note_(new QLabel),
      canvas_(new QWidget) {
    auto* column = new QVBoxLayout(&body());
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(6, 4, 6, 4);
    layout_->addItems({tr("height, width"), tr("height, width, channels"), tr("channels, height, width")});
    layout_->setObjectName(QStringLiteral("imageLayout"));
    layout_->setAccessibleName(tr("What the last axes are"));
    channel_->setObjectName(QStringLiteral("imageChannel"));
    channel_->setAccessibleName(tr("Channel"));
    range_->addItems({tr("least to greatest"), tr("0 to 1"), tr("0 to 255")});
    range_->setObjectName(QStringLiteral("imageRange"));
    range_->setAccessibleName(tr("What is black and what is white"));
    number_->setPrefix(tr("picture "));
    number_->setObjectName(QStringLiteral("imageNumber"));
    number_->setAccessibleName(tr("Picture"));
    for (QWidget* widget : std::initializer_list<QWidget*>{layout_, channel_, range_, number_}) {
        bar->addWidget(widget);
    }
    bar->addSpacing(6);
    bar->addWidget(note_, 1);
    note_->setForegroundRole(QPalette::PlaceholderText);
    column->addLayout(bar);
    column->addWidget(canvas_, 1);
    canvas_->setObjectName(QStringLiteral("imageCanvas"));
    canvas_->setAccessibleName(tr("Picture of the tensor"));
    canvas_->installEventFilter(this);
    connect(layout_, &QComboBox::activated, this, [this] {
        fill();
        ask();
    });
    connect(channel_, &QComboBox::activated, this, &ImagePage::ask);
    connect(range_, &QComboBox::activated, this, &ImagePage::ask);
    connect(number_, &QSpinBox::valueChanged, this, &ImagePage::ask);
}

void ImagePage::refresh() {
    layout_->setCurrentIndex(static_cast<int>(tensors::likely_layout(array_.shape)));
    layout_->setVisible(array_.shape.rank() > 2);
    range_->setCurrentIndex(array_.dtype == DType::UInt8 ? 2 : 0);
    fill();
    ask();
}

void ImagePage::fill() {
    const auto layout = static_cast<tensors::ImageLayout>(layout_->currentIndex());
    const QSignalBlocker blockers[] = {QSignalBlocker(channel_), QSignalBlocker(number_)};
    const qint64 channels = tensors::channels(array_.shape, layout);
    channel_->clear();
    channel_->addItem(channels >= 3 ? tr("red, green, blue") : tr("grey"), -1);
    for (qint64 i = 0; channels > 1 && i < std::min(channels, kMostChannels); ++i) {
        channel_->addItem(tr("channel %1").arg(i), static_cast<int>(i));
    }
    if (channels > 4) {
        channel_->setCurrentIndex(1);  // features, not colours
    }
    channel_->setVisible(channels > 1);
    const qint64 pictures = tensors::pictures(array_.shape, layout);
    number_->setRange(0, static_cast<int>(std::clamp<qint64>(pictures - 1, 0, 1 << 30)));
    number_->setSuffix(tr(" of %1").arg(pictures));
    number_->setVisible(pictures > 1);
}

void ImagePage::ask() {
    jobs_.run(
        this, QStringLiteral("picture"),
        [array = array_, layout = static_cast<tensors::ImageLayout>(layout_->currentIndex()), number = number_->value(),
         channel = channel_->currentData().toInt(),
         range = static_cast<tensors::ImageRange>(range_->currentIndex())](JobContext& context) {
            return tensors::picture(array, layout, number, channel, range, kMostPixels, staleOf(context));
        },
        [this](tensors::Picture picture) {
            image_ = QImage(picture.rgb.data(), picture.width, picture.height, picture.width * 3, QImage::Format_RGB888)
                         .copy();
            note_->setText(tr("black %1, white %2").arg(numberText(picture.black), numberText(picture.white)) +
                           (picture.step > 1 ? tr("; every %1th pixel").arg(picture.step) : QString()));
            canvas_->update();
        });
}

bool ImagePage::eventFilter(QObject* watched, QEvent* event) {
    if (watched == canvas_ && event->type() == QEvent::Paint) {
        QPainter painter(canvas_);
        painter.fillRect(canvas_->rect(), theme().background);
        if (!image_.isNull()) {
            const QSize room = canvas_->size() - QSize(16, 16);
            QSize size = image_.size().scaled(room, Qt::KeepAspectRatio);
            // Whole pixels look like pixels.
            if (const int times = size.width() / std::max(1, image_.width()); times > 1) {
                size = image_.size() * times;
            }
            const QRect place(QPoint(8, 8), size);
            painter.setRenderHint(QPainter::SmoothPixmapTransform, size.width() < image_.width());
            painter.drawImage(place, image_);
            painter.setPen(theme().border);
            painter.drawRect(place.adjusted(-1, -1, 0, 0));
        }
        return true;
    }
    return TensorPage::eventFilter(watched, event);
}

}  // namespace fusescope::gui
