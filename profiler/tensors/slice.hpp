// A 2-D slice of a tensor: which axes run down and across, and where the others stand.
#pragma once

#include "profiler/tensors/array.hpp"

namespace fusescope::tensors {

class Slice {
 public:
    Slice() = default;
    /// The last two axes; a vector is broken into rows of `wrap` elements, 0: it is one row.
    explicit Slice(const Shape& shape, std::int64_t wrap = 0);
    /// `row_axis` and `column_axis` differ, or one is -1: then the other is broken into rows of `wrap`, too. What is
    /// not so, or lies outside, is put right.
    Slice(const Shape& shape, int row_axis, int column_axis, Shape index, std::int64_t wrap = 0);

    const Shape& shape() const { return shape_; }
    int row_axis() const { return row_axis_; }
    int column_axis() const { return column_axis_; }
    /// Where each axis stands; those of rows and columns are 0.
    const Shape& index() const { return index_; }
    std::int64_t wrap() const { return wrap_; }
    std::int64_t rows() const { return rows_; }
    std::int64_t columns() const { return columns_; }

    /// Flat number of the element; -1 in the last row of a wrapped vector behind its end.
    std::int64_t flat(std::int64_t row, std::int64_t column) const {
        if (wrapped_ && row * columns_ + column >= length_) return -1;
        return offset_ + row * row_stride_ + column * column_stride_;
    }
    /// The slice with the same axes that has the element, and where.
    struct Spot;
    Spot showing(std::int64_t flat) const;

 private:
    void settle();

    Shape shape_, index_;
    int row_axis_ = -1, column_axis_ = -1;
    std::int64_t wrap_ = 0, rows_ = 0, columns_ = 0, offset_ = 0, row_stride_ = 0, column_stride_ = 0, length_ = 0;
    bool wrapped_ = false;
};

struct Slice::Spot {
    Slice slice;
    std::int64_t row = 0, column = 0;
};

}  // namespace fusescope::tensors
