// The process's one LLVM just-in-time compiler.
#pragma once

#include <llvm/ExecutionEngine/Orc/LLJIT.h>

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engine/codegen/kernel_builder.hpp"

namespace fusescope::codegen {

/// Machine code of one batch of functions; freed with the last holder.
class CompiledBatch {
 public:
    CompiledBatch(llvm::orc::ResourceTrackerSP tracker, std::string module)
        : tracker_(std::move(tracker)), module_(std::move(module)) {}
    ~CompiledBatch();

    /// One function of the batch as "llvm" (IR) or "asm", empty when there is none. The first call makes the texts of
    /// all, those in assembly by generating the code again.
    std::string text(const std::string& function, const std::string& form) const;

 private:
    llvm::orc::ResourceTrackerSP tracker_;
    std::string module_;  ///< LLVM IR of the batch
    mutable std::mutex mutex_;
    mutable std::map<std::string, std::string> texts_[2];  ///< by function: IR, assembly
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

    /// Texts of the functions of a module in IR; of those that LLVM cannot read back, none.
    std::map<std::string, std::string> functions_of(const std::string& module) const;
    std::map<std::string, std::string> assembly_of(const std::string& module) const;

 private:
    Jit();
    std::unique_ptr<llvm::orc::LLJIT> jit_;
    std::unique_ptr<llvm::orc::JITTargetMachineBuilder> machine_;
    std::string cpu_, features_;
};

}  // namespace fusescope::codegen
