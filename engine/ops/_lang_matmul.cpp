// Matrix product in the mini-language.
#include "engine/ops/lang.hpp"
#include "engine/ops/op_ids.hpp"

namespace fusescope::lang {

Tensor matmul(const Tensor& a, const Tensor& b, bool transpose_a, bool transpose_b) {
    const Tensor in[2] = {a, b};
    return apply1(op_row(op::matmul), in, {transpose_a, transpose_b});
}

}  // namespace fusescope::lang
