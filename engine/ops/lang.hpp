// The few names that gradients and decompositions are written in. Each builds one op, eagerly or in a trace.
#pragma once

#include <initializer_list>

#include "engine/ir/op_def.hpp"

namespace fusescope::lang {

Tensor add(const Tensor& a, const Tensor& b);
Tensor sub(const Tensor& a, const Tensor& b);
Tensor mul(const Tensor& a, const Tensor& b);
Tensor div(const Tensor& a, const Tensor& b);
Tensor neg(const Tensor& a);
Tensor exp(const Tensor& a);
Tensor log(const Tensor& a);
Tensor sqrt(const Tensor& a);
Tensor rsqrt(const Tensor& a);
Tensor pow(const Tensor& a, const Tensor& b);
Tensor maximum(const Tensor& a, const Tensor& b);
Tensor equal(const Tensor& a, const Tensor& b);
Tensor less(const Tensor& a, const Tensor& b);
Tensor greater(const Tensor& a, const Tensor& b);
Tensor greater_equal(const Tensor& a, const Tensor& b);
Tensor logical_not(const Tensor& a);
Tensor select(const Tensor& condition, const Tensor& a, const Tensor& b);
Tensor cast(const Tensor& a, DType dtype);
Tensor sum(const Tensor& a, const Ints& axes, bool keep_dims);
Tensor mean(const Tensor& a, const Ints& axes, bool keep_dims);
Tensor max(const Tensor& a, const Ints& axes, bool keep_dims);
Tensor reshape(const Tensor& a, const Shape& shape);
Tensor broadcast_to(const Tensor& a, const Shape& shape);
Tensor transpose(const Tensor& a, const Ints& permutation);
Tensor matmul(const Tensor& a, const Tensor& b, bool transpose_a = false, bool transpose_b = false);

// Further ones that few gradients and decompositions need (_lang_more.cpp).
Tensor abs(const Tensor& a);
Tensor sign(const Tensor& a);
Tensor sin(const Tensor& a);
Tensor cos(const Tensor& a);
Tensor sinh(const Tensor& a);
Tensor cosh(const Tensor& a);
Tensor tanh(const Tensor& a);
Tensor sigmoid(const Tensor& a);
Tensor softplus(const Tensor& a);
Tensor erf(const Tensor& a);
Tensor isfinite(const Tensor& a);
Tensor isnan(const Tensor& a);
Tensor minimum(const Tensor& a, const Tensor& b);
Tensor less_equal(const Tensor& a, const Tensor& b);
Tensor not_equal(const Tensor& a, const Tensor& b);
Tensor floor_divide(const Tensor& a, const Tensor& b);
Tensor trunc_divide(const Tensor& a, const Tensor& b);
/// A result of its own that shares the bytes.
Tensor identity(const Tensor& a);
Tensor full(const Shape& shape, double value, DType dtype);
Tensor amax(const Tensor& a, const Ints& axes, bool keep_dims);
Tensor cumsum(const Tensor& a, std::int64_t axis, bool exclusive, bool reverse);
Tensor cumprod(const Tensor& a, std::int64_t axis, bool exclusive, bool reverse);
Tensor cumprod_grad(const Tensor& a, const Tensor& dy, std::int64_t axis, bool exclusive, bool reverse);
Tensor flip(const Tensor& a, const Ints& axes);
Tensor concat(std::span<const Tensor> parts, std::int64_t axis);
Tensor stack(std::span<const Tensor> parts, std::int64_t axis);
std::vector<Tensor> split(const Tensor& a, const Ints& sizes, std::int64_t axis);
/// Elements begin, begin + stride, … of each axis, as Python's slice(begin, end, stride).
Tensor strided_slice(const Tensor& a, const Ints& begin, const Ints& end, const Ints& strides);
/// Elements [begin, end) of one axis.
Tensor slice_axis(const Tensor& a, std::int64_t axis, std::int64_t begin, std::int64_t end);
/// `a` with `value` in the place that strided_slice would read.
Tensor slice_update(const Tensor& a, const Tensor& value, const Ints& begin, const Ints& end, const Ints& strides);
Tensor gather(const Tensor& a, const Tensor& indices, std::int64_t axis);
Tensor index_add(const Tensor& a, const Tensor& indices, const Tensor& updates, std::int64_t axis);
Tensor gather_elements(const Tensor& a, const Tensor& indices, std::int64_t axis);
/// `reduction` is "none" or "add".
Tensor scatter_elements(const Tensor& a, const Tensor& indices, const Tensor& updates, std::int64_t axis,
                        const char* reduction);
Tensor gather_nd(const Tensor& a, const Tensor& indices);
Tensor scatter_nd_add(const Tensor& a, const Tensor& indices, const Tensor& updates);
Tensor scatter_nd_update(const Tensor& a, const Tensor& indices, const Tensor& updates);
Tensor nonzero(const Tensor& a);
Tensor tril(const Tensor& a, std::int64_t diagonal);
Tensor triu(const Tensor& a, std::int64_t diagonal);
Tensor diagonal(const Tensor& a, std::int64_t offset, std::int64_t axis1, std::int64_t axis2);
Tensor diagonal_scatter(const Tensor& a, const Tensor& source, std::int64_t offset, std::int64_t axis1,
                        std::int64_t axis2);
Tensor standard_normal(const Shape& shape, DType dtype);
Tensor uniform_real(const Shape& shape, DType dtype);

/// A number as a 0-d tensor of a's dtype.
Tensor constant(const Tensor& like, double value);
Tensor zeros(DType dtype, const Shape& shape);
Tensor ones(DType dtype, const Shape& shape);
inline Tensor zeros_like(const Tensor& a) { return zeros(a.dtype(), a.shape()); }

inline Tensor operator+(const Tensor& a, const Tensor& b) { return add(a, b); }
inline Tensor operator-(const Tensor& a, const Tensor& b) { return sub(a, b); }
inline Tensor operator*(const Tensor& a, const Tensor& b) { return mul(a, b); }
inline Tensor operator/(const Tensor& a, const Tensor& b) { return div(a, b); }
inline Tensor operator-(const Tensor& a) { return neg(a); }
inline Tensor operator*(const Tensor& a, double c) { return mul(a, constant(a, c)); }
inline Tensor operator+(const Tensor& a, double c) { return add(a, constant(a, c)); }
inline Tensor operator-(double c, const Tensor& a) { return sub(constant(a, c), a); }
inline Tensor operator/(const Tensor& a, double c) { return div(a, constant(a, c)); }

/// Sums a gradient down to the shape of the operand that was broadcast to it.
Tensor sum_to(const Tensor& grad, const Shape& shape);
/// All axes of a rank, 0 … rank-1.
Ints all_axes(int rank);

}  // namespace fusescope::lang
