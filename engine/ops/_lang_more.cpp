// The rarer names of the mini-language.
#include "engine/core/broadcast.hpp"
#include "engine/ops/lang.hpp"
#include "engine/ops/op_ids.hpp"

namespace fusescope::lang {
namespace {
Tensor call(OpId op, std::initializer_list<Tensor> inputs, const Attrs& attrs = {}) {
    return apply1(op_row(op), {inputs.begin(), inputs.size()}, attrs);
}
}  // namespace

Tensor abs(const Tensor& a) { return call(op::abs, {a}); }
Tensor sign(const Tensor& a) { return call(op::sign, {a}); }
Tensor sin(const Tensor& a) { return call(op::sin, {a}); }
Tensor cos(const Tensor& a) { return call(op::cos, {a}); }
Tensor sinh(const Tensor& a) { return call(op::sinh, {a}); }
Tensor cosh(const Tensor& a) { return call(op::cosh, {a}); }
Tensor tanh(const Tensor& a) { return call(op::tanh, {a}); }
Tensor sigmoid(const Tensor& a) { return call(op::sigmoid, {a}); }
Tensor softplus(const Tensor& a) { return call(op::softplus, {a}, op_row(op::softplus).defaults()); }
Tensor erf(const Tensor& a) { return call(op::erf, {a}); }
Tensor isfinite(const Tensor& a) { return call(op::isfinite, {a}); }
Tensor isnan(const Tensor& a) { return call(op::isnan, {a}); }
Tensor minimum(const Tensor& a, const Tensor& b) { return call(op::minimum, {a, b}); }
Tensor less_equal(const Tensor& a, const Tensor& b) { return call(op::less_equal, {a, b}); }
Tensor not_equal(const Tensor& a, const Tensor& b) { return call(op::not_equal, {a, b}); }
Tensor floor_divide(const Tensor& a, const Tensor& b) { return call(op::floor_divide, {a, b}); }
Tensor trunc_divide(const Tensor& a, const Tensor& b) { return call(op::trunc_divide, {a, b}); }

Tensor identity(const Tensor& a) { return call(op::identity, {a}); }

Tensor full(const Shape& shape, double value, DType dtype) { return call(op::full, {}, {shape, value, dtype}); }

Tensor amax(const Tensor& a, const Ints& axes, bool keep_dims) { return call(op::amax, {a}, {axes, keep_dims}); }

Tensor cumsum(const Tensor& a, std::int64_t axis, bool exclusive, bool reverse) {
    return call(op::cumsum, {a}, {axis, exclusive, reverse});
}
Tensor cumprod(const Tensor& a, std::int64_t axis, bool exclusive, bool reverse) {
    return call(op::cumprod, {a}, {axis, exclusive, reverse});
}
Tensor cumprod_grad(const Tensor& a, const Tensor& dy, std::int64_t axis, bool exclusive, bool reverse) {
    return call(op::cumprod_grad, {a, dy}, {axis, exclusive, reverse});
}

Tensor flip(const Tensor& a, const Ints& axes) { return call(op::flip, {a}, {axes}); }

Tensor concat(std::span<const Tensor> parts, std::int64_t axis) { return apply1(op_row(op::concat), parts, {axis}); }
Tensor stack(std::span<const Tensor> parts, std::int64_t axis) { return apply1(op_row(op::stack), parts, {axis}); }
std::vector<Tensor> split(const Tensor& a, const Ints& sizes, std::int64_t axis) {
    return apply(op_row(op::split), {&a, 1}, {sizes, axis});
}

Tensor strided_slice(const Tensor& a, const Ints& begin, const Ints& end, const Ints& strides) {
    return call(op::strided_slice, {a}, {begin, end, strides});
}

Tensor slice_axis(const Tensor& a, std::int64_t axis, std::int64_t begin, std::int64_t end) {
    Ints from(a.shape().size(), 0), to = a.shape(), step(a.shape().size(), 1);
    const auto k = static_cast<std::size_t>(axis);
    from[k] = begin;
    to[k] = end;
    return strided_slice(a, from, to, step);
}

Tensor slice_update(const Tensor& a, const Tensor& value, const Ints& begin, const Ints& end, const Ints& strides) {
    return call(op::slice_update, {a, value}, {begin, end, strides});
}

Tensor gather(const Tensor& a, const Tensor& indices, std::int64_t axis) {
    return call(op::gather, {a, indices}, {axis});
}
Tensor index_add(const Tensor& a, const Tensor& indices, const Tensor& updates, std::int64_t axis) {
    return call(op::index_add, {a, indices, updates}, {axis});
}
Tensor gather_elements(const Tensor& a, const Tensor& indices, std::int64_t axis) {
    return call(op::gather_elements, {a, indices}, {axis});
}
Tensor scatter_elements(const Tensor& a, const Tensor& indices, const Tensor& updates, std::int64_t axis,
                        const char* reduction) {
    return call(op::scatter_elements, {a, indices, updates}, {axis, std::string(reduction)});
}
Tensor gather_nd(const Tensor& a, const Tensor& indices) { return call(op::gather_nd, {a, indices}); }
Tensor scatter_nd_add(const Tensor& a, const Tensor& indices, const Tensor& updates) {
    return call(op::tensor_scatter_add, {a, indices, updates});
}
Tensor scatter_nd_update(const Tensor& a, const Tensor& indices, const Tensor& updates) {
    return call(op::tensor_scatter_update, {a, indices, updates});
}
Tensor nonzero(const Tensor& a) { return call(op::nonzero, {a}); }

Tensor tril(const Tensor& a, std::int64_t diagonal) { return call(op::tril, {a}, {diagonal}); }
Tensor triu(const Tensor& a, std::int64_t diagonal) { return call(op::triu, {a}, {diagonal}); }
Tensor diagonal(const Tensor& a, std::int64_t offset, std::int64_t axis1, std::int64_t axis2) {
    return call(op::diagonal, {a}, {offset, axis1, axis2});
}
Tensor diagonal_scatter(const Tensor& a, const Tensor& source, std::int64_t offset, std::int64_t axis1,
                        std::int64_t axis2) {
    return call(op::diagonal_scatter, {a, source}, {offset, axis1, axis2});
}

Tensor standard_normal(const Shape& shape, DType dtype) { return call(op::standard_normal, {}, {shape, dtype}); }
Tensor uniform_real(const Shape& shape, DType dtype) { return call(op::uniform_real, {}, {shape, dtype}); }

}  // namespace fusescope::lang
