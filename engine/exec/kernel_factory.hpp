// Opening the code generator when the first graph is compiled.
#pragma once

#include <memory>
#include <string>

#include "engine/exec/fused_kernel.hpp"

namespace fusescope::exec {

/// A factory for one graph's kernels; null when there is no code generator on this machine, with the reason in `why`.
std::shared_ptr<FusedKernelFactory> make_kernel_factory(std::string& why);

}  // namespace fusescope::exec
