// From a captured graph to something that runs: passes, kernels, memory plan, and what the recorder is told of them.
#pragma once

#include <memory>
#include <string>

#include "engine/exec/executable.hpp"

namespace fusescope::exec {

struct CompileInfo {
    std::string name;       ///< function or Cell
    std::string signature;  ///< "(Float32[32, 1024], Float32[32, 1024])"
    FrameId frame = 0;
};

/// Compiles for the context's device with the context's passes. When a recorder is set, every stage is published.
std::shared_ptr<Executable> compile(Context& context, ir::GraphPtr captured, const CompileInfo& info);

}  // namespace fusescope::exec
