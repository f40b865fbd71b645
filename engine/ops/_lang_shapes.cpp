// Reductions and changes of shape in the mini-language.
#include "engine/ops/lang.hpp"
#include "engine/ops/op_ids.hpp"

namespace fusescope::lang {
namespace {
Tensor reduce(OpId op, const Tensor& a, const Ints& axes, bool keep_dims) {
    return apply1(op_row(op), {&a, 1}, {axes, keep_dims});
}
}  // namespace

Tensor sum(const Tensor& a, const Ints& axes, bool keep_dims) { return reduce(op::sum, a, axes, keep_dims); }
Tensor mean(const Tensor& a, const Ints& axes, bool keep_dims) { return reduce(op::mean, a, axes, keep_dims); }
Tensor max(const Tensor& a, const Ints& axes, bool keep_dims) { return reduce(op::amax, a, axes, keep_dims); }

Tensor broadcast_to(const Tensor& a, const Shape& shape) {
    if (a.shape() == shape) return a;
    return apply1(op_row(op::broadcast_to), {&a, 1}, {shape});
}

Tensor transpose(const Tensor& a, const Ints& permutation) {
    return apply1(op_row(op::transpose), {&a, 1}, {permutation});
}

}  // namespace fusescope::lang
