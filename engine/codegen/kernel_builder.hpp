// The loops around a fused body.
#pragma once

#include <llvm/IR/Module.h>

#include <string>

#include "engine/codegen/schedule.hpp"

namespace fusescope::codegen {

/// Signature of a generated function: computes units [begin, end). Inputs and outputs are the region's, in order.
/// A unit of a flat schedule is kFlatUnit elements; else it is one row, or one block of cpu::kRowBlock elements of a
/// reduced row that is longer (block results go to scratch[reduction * units + unit] in the type of accumulation).
/// What passes is looked at: in_bad[i] and out_bad[o] get kBadInf and kBadNan for what was among the elements of input
/// i and output o. An Inf beside a NaN may go untold. Looked at are float outputs that are no result of a reduction,
/// and inputs that are read element by element, since an output may take their place.
using KernelFunction = void (*)(void* const* in, void* const* out, std::int64_t begin, std::int64_t end, void* scratch,
                                std::uint8_t* in_bad, std::uint8_t* out_bad);

inline constexpr std::uint8_t kBadInf = 1, kBadNan = 2;

inline constexpr std::int64_t kFlatUnit = 64;

/// Blocks that a reduced row is cut into.
inline std::int64_t blocks_per_row(const Schedule& s) {
    return s.reductions.empty() ? 1 : (s.inner() + cpu::kRowBlock - 1) / cpu::kRowBlock;
}
inline std::int64_t units_of(const Schedule& s) {
    return s.flat ? (s.count + kFlatUnit - 1) / kFlatUnit : s.rows() * blocks_per_row(s);
}

/// Adds the function `name` to `module`, for the host's vector registers.
void build_kernel(llvm::Module& module, const Schedule& schedule, const std::string& name, const std::string& cpu,
                  const std::string& features);

}  // namespace fusescope::codegen
