// What the ops that multiply matrices share: extents out of shapes, with an explanation when they do not fit.
#pragma once

#include <string_view>

#include "engine/cpu/matmul.hpp"
#include "engine/ir/op_def.hpp"

namespace fusescope {

struct MatMulPlan {
    cpu::MatMulShape shape;  ///< transposition of a rank-one operand is dropped
    Shape result;

    std::uint64_t flops() const noexcept {
        return 2 * static_cast<std::uint64_t>(shape.batch.count() * shape.m * shape.n * shape.k);
    }
};

/// numpy.matmul's rules. Throws UserError (shape) for `op` that says which axes clash and what would fit.
MatMulPlan plan_matmul(std::string_view op, const Shape& a, const Shape& b, bool transpose_a, bool transpose_b);

}  // namespace fusescope
