// Walks broadcast operands in runs and hands each run to a loop; knows shapes and strides, no ops.
#pragma once

#include <cstdint>
#include <span>

#include "engine/ir/op_def.hpp"

namespace fusescope::cpu {

/// One run: `n` elements of the output at `out`; operand i is read at in[i], one element per output element, or the
/// same element for all when splat[i].
using RunFn = void (*)(const void* const* in, const bool* splat, void* out, std::int64_t n, const Attrs& attrs);

inline constexpr int kMaxOperands = 4;

/// Covers `out` with runs, in parallel when it is large. Operands broadcast against the output's shape.
void for_each_run(std::span<const KernelTensor> in, const KernelTensor& out, const Attrs& attrs, RunFn run);

}  // namespace fusescope::cpu
