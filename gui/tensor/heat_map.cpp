// The image has one pixel a cell and is stretched when it is painted.
#include "gui/tensor/heat_map.hpp"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <vector>

#include "gui/app/theme.hpp"

namespace fusescope::gui {

namespace {

constexpr int kMargin = 8;
constexpr int kScaleWidth = 118;
constexpr double kMostStretch = 6;  // a cell is at most so much longer one way than the other

}  // namespace

QString numberText(double value) { return QString::number(value, 'g', 6); }

HeatMap::HeatMap(const QString& accessibleName, QWidget* parent) : QWidget(parent) {
    setAccessibleName(accessibleName);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void HeatMap::setGrid(tensors::Grid grid, const tensors::Slice& slice, ColorScale::Kind kind) {
    grid_ = std::move(grid);
    slice_ = slice;
    scale_ = {kind, grid_.low, grid_.high};
    colour();
    update();
}

void HeatMap::clear() {
    grid_ = {};
    image_ = {};
    update();
}

void HeatMap::setElement(qint64 flat) {
    element_ = flat;
    update();
}

void HeatMap::colour() {
    // A million cells in a few milliseconds: colours are made once for each shade.
    constexpr int kShades = 1024;
    std::vector<QRgb> shades(kShades + 1);
    const double most = std::max(std::abs(scale_.low), std::abs(scale_.high));
    const double low = scale_.kind == ColorScale::Kind::Diverging ? -most : scale_.low;
    const double high = scale_.kind == ColorScale::Kind::Diverging ? most : scale_.high;
    for (int i = 0; i <= kShades; ++i) {
        const double share = static_cast<double>(i) / kShades;
        shades[static_cast<std::size_t>(i)] = scale_.colorOf(low * (1 - share) + high * share);
    }
    const double perValue = high > low ? kShades / (high / 2 - low / 2) : 0;
    const QRgb nothing = theme().background.rgb();
    image_ = QImage(grid_.columns, grid_.rows, QImage::Format_RGB32);
    for (int row = 0; row < grid_.rows; ++row) {
        auto* line = reinterpret_cast<QRgb*>(image_.scanLine(row));
        for (int column = 0; column < grid_.columns; ++column) {
            const std::size_t at = grid_.at(row, column);
            const int bad = grid_.bad[at];
            line[column] = bad == tensors::Grid::kNothing ? nothing
                           : bad                          ? ColorScale::colorOfBad(bad)
                                 : shades[static_cast<std::size_t>((grid_.values[at] / 2 - low / 2) * perValue)];
        }
    }
}

QRectF HeatMap::area() const {
    if (grid_.rows == 0 || grid_.columns == 0) {
        return {};
    }
    const double width = std::max(8, this->width() - 2 * kMargin - kScaleWidth),
                 height = std::max(8, this->height() - 2 * kMargin);
    double w = width / grid_.columns, h = height / grid_.rows;
    const double s = std::min(w, h);
    w = std::min(w, s * kMostStretch);
    h = std::min(h, s * kMostStretch);
    return {kMargin, kMargin, w * grid_.columns, h * grid_.rows};
}

bool HeatMap::cellAt(const QPointF& at, int* row, int* column) const {
    const QRectF cells = area();
    if (!cells.contains(at)) {
        return false;
    }
    *row = std::min(static_cast<int>((at.y() - cells.top()) / cells.height() * grid_.rows), grid_.rows - 1);
    *column = std::min(static_cast<int>((at.x() - cells.left()) / cells.width() * grid_.columns), grid_.columns - 1);
    return true;
}

qint64 HeatMap::elementOf(int row, int column) const {
    return slice_.flat(row * grid_.row_step, column * grid_.column_step);
}

QPoint HeatMap::centreOf(int row, int column) const {
    const QRectF cells = area();
    return QPointF(cells.left() + (column + 0.5) * cells.width() / grid_.columns,
                   cells.top() + (row + 0.5) * cells.height() / grid_.rows)
        .toPoint();
}

void HeatMap::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), theme().background);
    const QRectF cells = area();
    if (cells.isEmpty()) {
        return;
    }
    painter.setRenderHint(QPainter::SmoothPixmapTransform, cells.width() < grid_.columns);
    painter.drawImage(cells, image_);
    painter.setPen(theme().border);
    painter.drawRect(cells);
    if (element_ >= 0) {
        const auto spot = slice_.showing(element_);
        if (slice_.flat(spot.row, spot.column) == element_) {
            const double w = cells.width() / grid_.columns, h = cells.height() / grid_.rows;
            QRectF cell(cells.left() + static_cast<double>(spot.column / grid_.column_step) * w,
                        cells.top() + static_cast<double>(spot.row / grid_.row_step) * h, w, h);
            // Small cells get a frame that can be seen.
            const QPointF centre = cell.center();
            cell.setSize(cell.size().expandedTo({9, 9}));
            cell.moveCenter(centre);
            painter.setPen(QPen(theme().background, 4));
            painter.drawRect(cell);
            painter.setPen(QPen(theme().accent, 2));
            painter.drawRect(cell);
        }
    }
    paintScale(painter, cells);
    if (hasFocus()) {
        painter.setPen(QPen(theme().accent, 1, Qt::DotLine));
        painter.drawRect(rect().adjusted(1, 1, -2, -2));
    }
}

void HeatMap::paintScale(QPainter& painter, const QRectF& cells) const {
    const QFontMetrics metrics = painter.fontMetrics();
    const int line = metrics.height();
    const int x = static_cast<int>(cells.right()) + 12;
    int y = kMargin;
    painter.setPen(theme().mutedText);
    const auto swatch = [&](QRgb color, const QString& text) {
        painter.fillRect(QRect(x, y + 2, 12, line - 4), QColor(color));
        painter.drawText(x + 18, y + metrics.ascent(), text);
        y += line + 2;
    };
    int bad = 0;
    for (const auto b : grid_.bad) {
        bad |= b;
    }
    if (scale_.kind == ColorScale::Kind::Health) {
        swatch(scale_.colorOf(0), tr("finite"));
    }
    if (bad & tensors::Grid::kNan) {
        swatch(ColorScale::colorOfBad(tensors::Grid::kNan), tr("NaN"));
    }
    if (bad & tensors::Grid::kPositiveInf) {
        swatch(ColorScale::colorOfBad(tensors::Grid::kPositiveInf), tr("Inf"));
    }
    if (bad & tensors::Grid::kNegativeInf) {
        swatch(ColorScale::colorOfBad(tensors::Grid::kNegativeInf), tr("−Inf"));
    }
    if (scale_.kind == ColorScale::Kind::Health) {
        return;
    }
    const bool diverging = scale_.kind == ColorScale::Kind::Diverging;
    const double most = std::max(std::abs(scale_.low), std::abs(scale_.high));
    const double low = diverging ? -most : scale_.low, high = diverging ? most : scale_.high;
    const int height = std::min(this->height() - y - kMargin, 220);
    if (height < 2 * line) {
        return;
    }
    for (int i = 0; i < height; ++i) {
        const double share = 1 - (i + 0.5) / height;
        painter.fillRect(QRect(x, y + i, 12, 1), QColor(scale_.colorOf(low * (1 - share) + high * share)));
    }
    painter.drawText(x + 18, y + metrics.ascent(), numberText(high));
    if (height > 4 * line) {
        painter.drawText(x + 18, y + height / 2 + metrics.ascent() / 2, numberText(low / 2 + high / 2));
    }
    painter.drawText(x + 18, y + height - metrics.descent(), numberText(low));
}

void HeatMap::mousePressEvent(QMouseEvent* event) {
    int row, column;
    if (event->button() == Qt::LeftButton && cellAt(event->position(), &row, &column)) {
        if (const qint64 flat = elementOf(row, column); flat >= 0) {
            emit elementChosen(flat);
        }
    }
}

void HeatMap::keyPressEvent(QKeyEvent* event) {
    const int down = event->key() == Qt::Key_Down ? 1 : event->key() == Qt::Key_Up ? -1 : 0;
    const int right = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    if ((down == 0 && right == 0) || grid_.rows == 0) {
        return QWidget::keyPressEvent(event);
    }
    int row = 0, column = 0;
    if (element_ >= 0) {
        const auto spot = slice_.showing(element_);
        row = std::clamp(static_cast<int>(spot.row / grid_.row_step) + down, 0, grid_.rows - 1);
        column = std::clamp(static_cast<int>(spot.column / grid_.column_step) + right, 0, grid_.columns - 1);
    }
    if (const qint64 flat = elementOf(row, column); flat >= 0) {
        emit elementChosen(flat);
    }
}

void HeatMap::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && !image_.isNull()) {
        colour();
    }
}

bool HeatMap::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        int row, column;
        const qint64 flat = cellAt(help->pos(), &row, &column) ? elementOf(row, column) : -1;
        if (flat < 0) {
            QToolTip::hideText();
        } else {
            QString text = QString::fromStdString(to_string(tensors::index_of(flat, slice_.shape())));
            if (grid_.row_step > 1 || grid_.column_step > 1) {
                text += QStringLiteral("\n") + tr("mean of %1 × %2 elements from here: %3")
                                                   .arg(grid_.row_step)
                                                   .arg(grid_.column_step)
                                                   .arg(numberText(grid_.values[grid_.at(row, column)]));
            }
            if (description_) {
                text += QStringLiteral("\n") + description_(flat);
            }
            QToolTip::showText(help->globalPos(), text, this);
        }
        return true;
    }
    return QWidget::event(event);
}

}  // namespace fusescope::gui
