// What was a fused node compiled to, and what went into it?
#pragma once

#include <string>
#include <vector>

#include "profiler/query/common.hpp"

namespace fusescope::query {

struct KernelCode {
    std::string form;  ///< "llvm" or "asm"
    std::string text;
};
/// Empty when nothing was generated for the node, and in profiles of older versions.
std::vector<KernelCode> kernel_code(Database& database, std::int64_t node_id);

/// How a fused node came about.
struct KernelBirth {
    std::string pass;  ///< that made the node, "" when that is not known
    std::string rule;  ///< what the pass says about its rewrites: "3 × tail of a MatMul fused"
};
KernelBirth kernel_birth(Database& database, std::int64_t node_id);

}  // namespace fusescope::query
