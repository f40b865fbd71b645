#include "engine/codegen/jit.hpp"

#include <llvm/AsmParser/Parser.h>
#include <llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h>
#include <llvm/ExecutionEngine/Orc/ThreadSafeModule.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

#include <sstream>
#include <stdexcept>

#include "engine/expr/vector_math.hpp"

namespace fusescope::codegen {
namespace {

template <class T>
T must(llvm::Expected<T> e) {
    if (!e) throw std::runtime_error("LLVM: " + llvm::toString(e.takeError()));
    return std::move(*e);
}
void must(llvm::Error e) {
    if (e) throw std::runtime_error("LLVM: " + llvm::toString(std::move(e)));
}

}  // namespace

CompiledBatch::~CompiledBatch() { llvm::consumeError(tracker_->remove()); }

std::string CompiledBatch::text(const std::string& function, const std::string& form) const {
    if (form != "llvm" && form != "asm") return {};
    std::scoped_lock lock(mutex_);
    auto& texts = texts_[form == "asm"];
    if (texts.empty()) {
        texts = form == "asm" ? Jit::get().assembly_of(module_) : Jit::get().functions_of(module_);
    }
    const auto it = texts.find(function);
    return it == texts.end() ? std::string() : it->second;
}

Jit& Jit::get() {
    // Never destroyed: kernels may run until the process ends.
    static Jit* jit = new Jit;
    return *jit;
}

Jit::Jit() {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    auto machine = must(llvm::orc::JITTargetMachineBuilder::detectHost());
    machine.setCodeGenOptLevel(llvm::CodeGenOpt::Default);
    // a*b+c stays two roundings, as in the eager loops.
    machine.getOptions().AllowFPOpFusion = llvm::FPOpFusion::Strict;
    cpu_ = machine.getCPU();
    features_ = machine.getFeatures().getString();
    machine_ = std::make_unique<llvm::orc::JITTargetMachineBuilder>(machine);
    jit_ = must(llvm::orc::LLJITBuilder().setJITTargetMachineBuilder(std::move(machine)).create());
    llvm::orc::SymbolMap symbols;
    for (int i = 0; i <= static_cast<int>(expr::Ins::hypot_); ++i) {
        for (expr::Kind kind : {expr::Kind::f32, expr::Kind::f64}) {
            void* address = nullptr;
            const char* name = expr::vector_math::vector_math_symbol(static_cast<expr::Ins>(i), kind, &address);
            if (!name) continue;
            symbols[jit_->mangleAndIntern(name)] =
                llvm::JITEvaluatedSymbol(llvm::pointerToJITTargetAddress(address), llvm::JITSymbolFlags::Exported);
        }
    }
    must(jit_->getMainJITDylib().define(llvm::orc::absoluteSymbols(std::move(symbols))));
    // memset and the like, should the code generator want them.
    jit_->getMainJITDylib().addGenerator(
        must(llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(jit_->getDataLayout().getGlobalPrefix())));
}

std::shared_ptr<CompiledBatch> Jit::compile(const std::vector<Wanted>& wanted, std::vector<KernelFunction>& addresses) {
    auto context = std::make_unique<llvm::LLVMContext>();
    auto module = std::make_unique<llvm::Module>("fusescope", *context);
    module->setDataLayout(jit_->getDataLayout());
    for (const Wanted& w : wanted) build_kernel(*module, *w.schedule, w.name, cpu_, features_);
    std::string text;
    {
        llvm::raw_string_ostream out(text);
        module->print(out, nullptr);
    }
    std::string fault;
    llvm::raw_string_ostream fault_out(fault);
    if (llvm::verifyModule(*module, &fault_out)) throw std::runtime_error("LLVM: " + fault_out.str());
    auto tracker = jit_->getMainJITDylib().createResourceTracker();
    must(jit_->addIRModule(tracker, llvm::orc::ThreadSafeModule(std::move(module), std::move(context))));
    auto batch = std::make_shared<CompiledBatch>(tracker, std::move(text));
    for (const Wanted& w : wanted) {
        addresses.push_back(must(jit_->lookup(w.name)).toPtr<KernelFunction>());
    }
    return batch;
}

std::map<std::string, std::string> Jit::functions_of(const std::string& module) const {
    llvm::LLVMContext context;
    llvm::SMDiagnostic fault;
    const auto parsed = llvm::parseAssemblyString(module, fault, context);
    std::map<std::string, std::string> texts;
    if (!parsed) return texts;
    for (const llvm::Function& function : *parsed) {
        if (function.isDeclaration()) continue;
        llvm::raw_string_ostream out(texts[function.getName().str()]);
        function.print(out);
    }
    return texts;
}

// The compiler is asked for text this time; the same module and machine give the same code.
std::map<std::string, std::string> Jit::assembly_of(const std::string& module) const {
    llvm::LLVMContext context;
    llvm::SMDiagnostic fault;
    const auto parsed = llvm::parseAssemblyString(module, fault, context);
    auto machine = llvm::orc::JITTargetMachineBuilder(*machine_).createTargetMachine();
    std::map<std::string, std::string> texts;
    if (!parsed || !machine) {
        llvm::consumeError(machine.takeError());
        return texts;
    }
    llvm::SmallString<0> all;
    llvm::raw_svector_ostream out(all);
    llvm::legacy::PassManager passes;
    if ((*machine)->addPassesToEmitFile(passes, out, nullptr, llvm::CGFT_AssemblyFile)) return texts;
    passes.run(*parsed);
    // A function goes from its label to its end mark.
    std::istringstream lines(all.str().str());
    std::string* text = nullptr;
    for (std::string line; std::getline(lines, line);) {
        const std::string label = line.substr(0, line.find(':'));
        if (const llvm::Function* f = label.size() < line.size() ? parsed->getFunction(label) : nullptr;
            f && !f->isDeclaration()) {
            text = &texts[label];
        } else if (line.rfind(".Lfunc_end", 0) == 0) {
            text = nullptr;
        }
        if (text && line.find(".cfi_") == std::string::npos) *text += line + '\n';
    }
    return texts;
}

}  // namespace fusescope::codegen
