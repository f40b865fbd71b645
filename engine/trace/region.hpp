// Branches and loops as single nodes: both functions are traced into regions of their own.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "engine/trace/trace.hpp"

namespace fusescope::trace {

using TensorFunction = std::function<std::vector<Tensor>(std::span<const Tensor>)>;

/// Appends an If over two traced branches to the current trace. Empty (with the reason in `why`) when a branch does
/// what a region cannot: it looks at a value, prints, or writes a Parameter; then the caller looks at the predicate
/// instead, which breaks the graph. Throws UserError when the branches' results differ in number, dtype or shape.
std::optional<std::vector<Tensor>> trace_cond(Context& context, const Tensor& predicate, const TensorFunction& if_true,
                                              const TensorFunction& if_false, std::span<const Tensor> operands,
                                              std::string& why);

/// Appends a While: `condition` gives a Bool scalar, `body` a new state of the same types. Empty as above.
std::optional<std::vector<Tensor>> trace_loop(Context& context, const TensorFunction& condition,
                                              const TensorFunction& body, std::span<const Tensor> state,
                                              std::string& why);

}  // namespace fusescope::trace
