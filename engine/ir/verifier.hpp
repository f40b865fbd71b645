// Says whether a graph keeps the rules of the IR. What it finds is a fault of a pass or of a text that was read, never
// of a user's program.
#pragma once

#include <string>

#include "engine/ir/graph.hpp"

namespace fusescope::ir {

/// Empty when the graph is sound; else the first fault: what was expected, what was got, and the node's text.
std::string find_fault(const Graph& graph);
/// The same for one node whose operands are known to be sound.
std::string find_fault(const Node& node);

/// Empty when `after` has the effects of `before` (prints, random numbers, …) in the same order.
std::string find_effect_fault(const Graph& before, const Graph& after);

/// Throws std::logic_error with the fault, if there is one; `where` says after what ("pass cse").
void verify(const Graph& graph, const std::string& where);

}  // namespace fusescope::ir
