// The elements behind one element of a result, where an op's class does not tell them: products of matrices, windows,
// normalisations, running sums.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine/debug/element.hpp"

namespace fusescope::debug {

/// As sources_of; nothing for ops that are not known here.
std::optional<std::vector<Source>> contributions_of(const OpDef& op, const Attrs& attrs, std::span<const Tensor> inputs,
                                                    const Tensor& output, std::int64_t flat);

/// The op multiplies the elements of its operand with each other.
bool multiplies(const OpDef& op);

}  // namespace fusescope::debug
