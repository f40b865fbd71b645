#include "gui/tensor/element_model.hpp"

#include <QColor>
#include <algorithm>
#include <cmath>

#include "gui/app/theme.hpp"
#include "profiler/tensors/element_text.hpp"
#include "profiler/tensors/elements.hpp"

namespace fusescope::gui {

void ElementModel::setSlice(const tensors::Array& array, const tensors::Slice& slice) {
    beginResetModel();
    array_ = array;
    slice_ = slice;
    firstRow_ = firstColumn_ = 0;
    endResetModel();
}

void ElementModel::setFormat(Format format) {
    beginResetModel();
    format_ = format;
    endResetModel();
}

int ElementModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !array_ ? 0 : static_cast<int>(std::min<qint64>(slice_.rows() - firstRow_, kMostRows));
}

int ElementModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() || !array_
               ? 0
               : static_cast<int>(std::min<qint64>(slice_.columns() - firstColumn_, kMostColumns));
}

qint64 ElementModel::elementAt(const QModelIndex& index) const {
    return index.isValid() ? slice_.flat(firstRow_ + index.row(), firstColumn_ + index.column()) : -1;
}

QModelIndex ElementModel::reveal(qint64 flat) {
    const auto spot = slice_.showing(flat);
    if (!array_ || slice_.flat(spot.row, spot.column) != flat) {
        return {};
    }
    // The window moves by halves, so that there is something around what one looks at.
    const auto window = [](qint64 first, qint64 at, qint64 most) {
        return at >= first && at < first + most ? first
                                                : std::max<qint64>(0, (at / (most / 2) - 1) * (most / 2) + most / 4);
    };
    const qint64 row = window(firstRow_, spot.row, kMostRows), column = window(firstColumn_, spot.column, kMostColumns);
    if (row != firstRow_ || column != firstColumn_) {
        beginResetModel();
        firstRow_ = row;
        firstColumn_ = column;
        endResetModel();
    }
    return index(static_cast<int>(spot.row - firstRow_), static_cast<int>(spot.column - firstColumn_));
}

QVariant ElementModel::data(const QModelIndex& index, int role) const {
    const qint64 flat = elementAt(index);
    if (flat < 0) {
        return {};
    }
    switch (role) {
        case Qt::DisplayRole:
            return QString::fromStdString(format_ == Format::Hex      ? tensors::hex_of(array_, flat)
                                          : format_ == Format::Binary ? tensors::binary_of(array_, flat)
                                                                      : tensors::text_of(array_, flat));
        case Qt::ToolTipRole:
            return QString::fromStdString(to_string(tensors::index_of(flat, slice_.shape())) + "\n" +
                                          tensors::text_of(array_, flat) + "\n" + tensors::hex_of(array_, flat));
        case Qt::TextAlignmentRole:
            return QVariant::fromValue(Qt::AlignVCenter | Qt::AlignRight);
        case Qt::ForegroundRole:
            return tensors::with_elements(array_, [&](const auto& number) {
                return std::isfinite(number(flat)) ? QVariant() : QVariant(theme().error);
            });
        default:
            return {};
    }
}

QVariant ElementModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role != Qt::DisplayRole) {
        return QAbstractTableModel::headerData(section, orientation, role);
    }
    if (orientation == Qt::Horizontal) {
        return QString::number(firstColumn_ + section);
    }
    const qint64 row = firstRow_ + section;
    // A wrapped vector's rows are named by the index of their first element.
    const bool wrapped = slice_.wrap() > 0 && (slice_.row_axis() < 0 || slice_.column_axis() < 0);
    return QString::number(wrapped ? row * slice_.columns() : row);
}

}  // namespace fusescope::gui
