// Branches and loops that depend on tensors and stay inside a graph.
#pragma once

#include "fusescope/function.hpp"

namespace fusescope {

/// `if_true(operands)` where the predicate, a tensor of one element, is not zero, else `if_false(operands)`. In a graph
/// both are traced, and their results must agree in number, dtypes and shapes. Throws UserError.
Tensors cond(const Tensor& predicate, const TensorFunction& if_true, const TensorFunction& if_false,
             std::span<const Tensor> operands);

/// Repeats state = body(state) while condition(state), one tensor of one element, is not zero. In a graph the state
/// keeps its dtypes and shapes. Throws UserError.
Tensors while_loop(const TensorFunction& condition, const TensorFunction& body, std::span<const Tensor> state);

}  // namespace fusescope
