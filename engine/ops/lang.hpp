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

/// Any other op by its id, for the few gradients that need one.
Tensor call(OpId op, std::initializer_list<Tensor> inputs, const Attrs& attrs = {});

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
