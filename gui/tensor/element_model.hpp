// The elements of a slice as a table. Nothing is copied: a cell is read when it is painted.
#pragma once

#include <QAbstractTableModel>

#include "profiler/tensors/slice.hpp"

namespace fusescope::gui {

class ElementModel : public QAbstractTableModel {
    Q_OBJECT

 public:
    enum class Format { Value, Hex, Binary };
    /// A header keeps a number for each of its sections: what has more is shown a window at a time.
    static constexpr int kMostRows = 200000, kMostColumns = 2000;

    using QAbstractTableModel::QAbstractTableModel;

    void setSlice(const tensors::Array& array, const tensors::Slice& slice);
    void setFormat(Format format);
    const tensors::Slice& slice() const { return slice_; }
    qint64 firstRow() const { return firstRow_; }
    qint64 firstColumn() const { return firstColumn_; }
    bool isWindow() const { return slice_.rows() > kMostRows || slice_.columns() > kMostColumns; }
    /// Moves the window so that the element is in it, and gives its cell.
    QModelIndex reveal(qint64 flat);
    qint64 elementAt(const QModelIndex& index) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
    tensors::Array array_;
    tensors::Slice slice_;
    Format format_ = Format::Value;
    qint64 firstRow_ = 0, firstColumn_ = 0;
};

}  // namespace fusescope::gui
