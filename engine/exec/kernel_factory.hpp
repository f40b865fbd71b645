// Who runs which fused node: generated code, the CPU library's post-ops, or the members one by one.
#pragma once

#include <memory>
#include <string>

#include "engine/exec/fused_kernel.hpp"

namespace fusescope::exec {

/// Kernels of both kinds. The code generator (LLVM) is opened when the first node wants it.
class KernelFactory final : public FusedKernelFactory {
 public:
    void prepare(std::span<const ir::NodePtr> nodes) override;
    std::unique_ptr<FusedKernel> make(const ir::NodePtr& node) override;

    /// Why nodes that want generated code do not get it; empty when they do.
    const std::string& missing() const noexcept { return missing_; }

 private:
    std::unique_ptr<FusedKernelFactory> generator_;
    std::string missing_;
};

}  // namespace fusescope::exec
