// Places of the largest or smallest elements.
#pragma once

#include <cstddef>

#include "engine/ir/op_def.hpp"

namespace fusescope::cpu {

/// For each line of `src`, seen as (outer, extent, inner), the first place of its extreme element, and the element.
/// A NaN counts as extreme, the first one wins. `places` is Int64, `values` has the dtype of src or null data.
void arg_reduce(const KernelTensor& src, std::int64_t outer, std::int64_t extent, std::int64_t inner, bool largest,
                const KernelTensor& places, const KernelTensor& values);

}  // namespace fusescope::cpu
