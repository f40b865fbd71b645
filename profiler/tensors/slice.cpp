#include "profiler/tensors/slice.hpp"

namespace fusescope::tensors {

Slice::Slice(const Shape& shape, std::int64_t wrap)
    : Slice(shape, shape.rank() - 2, shape.rank() - 1, Shape(shape.size(), 0), wrap) {}

Slice::Slice(const Shape& shape, int row_axis, int column_axis, Shape index, std::int64_t wrap)
    : shape_(shape), index_(std::move(index)), wrap_(wrap) {
    const auto fits = [&](int axis) { return axis >= 0 && axis < shape.rank(); };
    row_axis_ = fits(row_axis) ? row_axis : -1;
    column_axis_ = fits(column_axis) && column_axis != row_axis_ ? column_axis : -1;
    if (row_axis_ < 0 && column_axis_ < 0 && shape.rank() > 0) column_axis_ = shape.rank() - 1;
    settle();
}

void Slice::settle() {
    index_.resize(shape_.size(), 0);
    Shape strides(shape_.size(), 1);
    for (int axis = shape_.rank() - 2; axis >= 0; --axis) {
        const auto a = static_cast<std::size_t>(axis);
        strides[a] = strides[a + 1] * shape_[a + 1];
    }
    for (int axis = 0; axis < shape_.rank(); ++axis) {
        const auto a = static_cast<std::size_t>(axis);
        const bool runs = axis == row_axis_ || axis == column_axis_;
        index_[a] = runs ? 0 : std::clamp(index_[a], std::int64_t{0}, std::max(shape_[a], std::int64_t{1}) - 1);
        offset_ += index_[a] * strides[a];
    }
    const auto extent = [&](int axis) { return axis < 0 ? 1 : shape_[static_cast<std::size_t>(axis)]; };
    const auto stride = [&](int axis) { return axis < 0 ? 0 : strides[static_cast<std::size_t>(axis)]; };
    rows_ = extent(row_axis_);
    columns_ = extent(column_axis_);
    row_stride_ = stride(row_axis_);
    column_stride_ = stride(column_axis_);
    if (shape_.count() == 0) {
        rows_ = columns_ = 0;
    } else if (wrap_ > 0 && (row_axis_ < 0 || column_axis_ < 0) && rows_ * columns_ > 1) {
        wrapped_ = true;
        length_ = rows_ * columns_;
        const std::int64_t step = row_stride_ + column_stride_;  // one of them is 0
        columns_ = std::min(wrap_, length_);
        rows_ = (length_ + columns_ - 1) / columns_;
        row_stride_ = step * columns_;
        column_stride_ = step;
    }
}

Slice::Spot Slice::showing(std::int64_t flat) const {
    const Shape index = index_of(flat, shape_);
    Spot spot{Slice(shape_, row_axis_, column_axis_, index, wrap_)};
    const auto along = [&](int axis) { return axis < 0 ? 0 : index[static_cast<std::size_t>(axis)]; };
    spot.row = along(row_axis_);
    spot.column = along(column_axis_);
    if (spot.slice.wrapped_) {
        const std::int64_t at = spot.row + spot.column;
        spot.row = at / spot.slice.columns_;
        spot.column = at % spot.slice.columns_;
    }
    return spot;
}

}  // namespace fusescope::tensors
