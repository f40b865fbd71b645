// Fused nodes that the CPU library runs with post-ops: a matrix product with bias and activation, a convolution with
// bias, batch norm and activation.
#pragma once

#include <memory>

#include "engine/exec/fused_kernel.hpp"

namespace fusescope::exec {

/// Null when the node is of another kind, or asks for what the library does not have: it runs member by member then.
std::unique_ptr<FusedKernel> make_library_kernel(const ir::Node& node);

}  // namespace fusescope::exec
