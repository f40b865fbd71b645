// When two attributes, nodes or graphs are the same: bit for bit, never by number comparison (0.0 is not -0.0, and a
// NaN equals itself).
#pragma once

#include <cstddef>
#include <string>

#include "engine/ir/graph.hpp"

namespace fusescope::ir {

bool same_bits(const AttrValue& a, const AttrValue& b) noexcept;
bool same_bits(const Attrs& a, const Attrs& b) noexcept;
/// Equal type and bytes. Both must hold values on the host.
bool same_bits(const Tensor& a, const Tensor& b) noexcept;

/// Empty when both graphs are the same but for ids, origins, frames, scopes and phases; else the first difference in
/// words. Constants count by value where they are used, however many nodes hold them, and unused ones do not count.
std::string difference(const Graph& a, const Graph& b);
inline bool structurally_equal(const Graph& a, const Graph& b) { return difference(a, b).empty(); }

/// Agrees with structurally_equal. Bytes of constants beyond the first 4 KiB are not looked at.
std::size_t structural_hash(const Graph& graph);

}  // namespace fusescope::ir
