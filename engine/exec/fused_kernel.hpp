// The seam between the executor and whoever makes kernels for fused nodes: code generation, or the CPU library's
// post-ops.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "engine/ir/graph.hpp"

namespace fusescope::exec {

/// One kernel, made for the types of one fused node.
class FusedKernel {
 public:
    virtual ~FusedKernel() = default;
    /// `inputs` and `outputs` are the fused node's, in order. Runs on the CPU's threads by itself.
    virtual void run(std::span<void* const> inputs, std::span<void* const> outputs) = 0;
    /// What the last run() has found on its way among the elements of an input, as it was before, or of an output;
    /// beside a NaN there may be Inf. Which of them are looked at does not change from run to run.
    enum class Found : std::uint8_t { unknown, finite, inf, nan };
    virtual Found found_in_input(std::size_t) const { return Found::unknown; }
    virtual Found found_in_output(std::size_t) const { return Found::unknown; }
    /// True when output `o` may be written over input `i` (same bytes, read and written element by element).
    virtual bool in_place(std::size_t o, std::size_t i) const = 0;
    /// What makes the generated code's text, for the window: "llvm" or "asm"; empty when there is none. It may outlive
    /// the kernel.
    virtual std::function<std::string()> text(const std::string& form) const = 0;
};

/// Makes kernels for the fused nodes of one graph; asked once for all of them, so that one module serves the graph.
class FusedKernelFactory {
 public:
    virtual ~FusedKernelFactory() = default;
    /// Announces the nodes that will be asked for.
    virtual void prepare(std::span<const ir::NodePtr> nodes) = 0;
    /// Null when this node is better run member by member.
    virtual std::unique_ptr<FusedKernel> make(const ir::NodePtr& node) = 0;
};

}  // namespace fusescope::exec
