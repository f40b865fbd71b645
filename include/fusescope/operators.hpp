// Arithmetic on tensors as C++ operators. Numbers take the tensor's dtype, or Float32 beside ints.
#pragma once

#include "fusescope/ops.hpp"

namespace fusescope {

namespace detail {
inline Tensor beside(const Tensor& t, double v) {
    return Tensor::scalar(v, is_float(t.dtype()) ? t.dtype() : DType::Float32);
}
}  // namespace detail

#define FUSESCOPE_OPERATOR(symbol, function)                                                                    \
    inline Tensor operator symbol(const Tensor& a, const Tensor& b) { return ops::function(a, b); }             \
    inline Tensor operator symbol(const Tensor& a, double b) { return ops::function(a, detail::beside(a, b)); } \
    inline Tensor operator symbol(double a, const Tensor& b) { return ops::function(detail::beside(b, a), b); }
FUSESCOPE_OPERATOR(+, add)
FUSESCOPE_OPERATOR(-, sub)
FUSESCOPE_OPERATOR(*, mul)
FUSESCOPE_OPERATOR(/, div)
FUSESCOPE_OPERATOR(<, less)
FUSESCOPE_OPERATOR(<=, less_equal)
FUSESCOPE_OPERATOR(>, greater)
FUSESCOPE_OPERATOR(>=, greater_equal)
#undef FUSESCOPE_OPERATOR

inline Tensor operator-(const Tensor& a) { return ops::neg(a); }

}  // namespace fusescope
