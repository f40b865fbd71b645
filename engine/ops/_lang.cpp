#include "engine/core/tensor_impl.hpp"
#include "engine/ops/lang.hpp"
#include "engine/ops/op_ids.hpp"

namespace fusescope::lang {
namespace {
Tensor unary(OpId op, const Tensor& a) { return apply1(op_row(op), {&a, 1}, {}); }
Tensor binary(OpId op, const Tensor& a, const Tensor& b) {
    const Tensor in[2] = {a, b};
    return apply1(op_row(op), in, {});
}
}  // namespace

Tensor add(const Tensor& a, const Tensor& b) { return binary(op::add, a, b); }
Tensor sub(const Tensor& a, const Tensor& b) { return binary(op::sub, a, b); }
Tensor mul(const Tensor& a, const Tensor& b) { return binary(op::mul, a, b); }
Tensor div(const Tensor& a, const Tensor& b) { return binary(op::div, a, b); }
Tensor neg(const Tensor& a) { return unary(op::neg, a); }
Tensor exp(const Tensor& a) { return unary(op::exp, a); }
Tensor log(const Tensor& a) { return unary(op::log, a); }
Tensor sqrt(const Tensor& a) { return unary(op::sqrt, a); }
Tensor rsqrt(const Tensor& a) { return unary(op::rsqrt, a); }
Tensor pow(const Tensor& a, const Tensor& b) { return binary(op::pow, a, b); }
Tensor maximum(const Tensor& a, const Tensor& b) { return binary(op::maximum, a, b); }
Tensor equal(const Tensor& a, const Tensor& b) { return binary(op::equal, a, b); }
Tensor less(const Tensor& a, const Tensor& b) { return binary(op::less, a, b); }
Tensor greater(const Tensor& a, const Tensor& b) { return binary(op::greater, a, b); }
Tensor greater_equal(const Tensor& a, const Tensor& b) { return binary(op::greater_equal, a, b); }
Tensor logical_not(const Tensor& a) { return unary(op::logical_not, a); }

Tensor select(const Tensor& condition, const Tensor& a, const Tensor& b) {
    const Tensor in[3] = {condition, a, b};
    return apply1(op_row(op::select), in, {});
}

Tensor cast(const Tensor& a, DType dtype) {
    if (a.dtype() == dtype) return a;
    return apply1(op_row(op::cast), {&a, 1}, {dtype});
}

Tensor reshape(const Tensor& a, const Shape& shape) {
    if (a.shape() == shape) return a;
    return apply1(op_row(op::reshape), {&a, 1}, {shape});
}

Tensor constant(const Tensor& like, double value) { return Tensor::scalar(value, like.dtype()); }

Tensor zeros(DType dtype, const Shape& shape) { return apply1(op_row(op::full), {}, {shape, 0.0, dtype}); }
Tensor ones(DType dtype, const Shape& shape) { return apply1(op_row(op::full), {}, {shape, 1.0, dtype}); }

Tensor sum_to(const Tensor& grad, const Shape& shape) {
    if (grad.shape() == shape) return grad;
    Ints axes;
    const int extra = grad.rank() - shape.rank();
    for (int k = 0; k < grad.rank(); ++k) {
        const auto at = static_cast<std::size_t>(k);
        if (k < extra || (shape[at - static_cast<std::size_t>(extra)] == 1 && grad.shape()[at] != 1)) axes.push_back(k);
    }
    return reshape(axes.empty() ? grad : sum(grad, axes, false), shape);
}

Ints all_axes(int rank) {
    Ints axes;
    for (int k = 0; k < rank; ++k) axes.push_back(k);
    return axes;
}

}  // namespace fusescope::lang
