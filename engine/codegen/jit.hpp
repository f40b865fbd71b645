// The process's one LLVM just-in-time compiler.
#pragma once

#include <llvm/ExecutionEngine/Orc/LLJIT.h>

#include <memory>
#include <string>
#include <vector>

#include "engine/codegen/kernel_builder.hpp"

namespace fusescope::codegen {

/// Machine code of one batch of functions; freed with the last holder.
class CompiledBatch {
 public:
    explicit CompiledBatch(llvm::orc::ResourceTrackerSP tracker) : tracker_(std::move(tracker)) {}
    ~CompiledBatch();
    std::string text;  ///< LLVM IR of the batch

 private:
    llvm::orc::ResourceTrackerSP tracker_;
};

class Jit {
 public:
    static Jit& get();

    struct Wanted {
        std::string name;
        const Schedule* schedule;
    };
    /// Compiles all of `wanted` as one module; addresses in the same order. Throws std::runtime_error when LLVM
    /// refuses.
    std::shared_ptr<CompiledBatch> compile(const std::vector<Wanted>& wanted, std::vector<KernelFunction>& addresses);

 private:
    Jit();
    std::unique_ptr<llvm::orc::LLJIT> jit_;
    std::string cpu_, features_;
};

}  // namespace fusescope::codegen
