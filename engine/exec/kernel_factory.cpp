#include "engine/exec/kernel_factory.hpp"

#include <dlfcn.h>

#include <filesystem>
#include <vector>

#include "engine/exec/library_kernels.hpp"

namespace fusescope::exec {
namespace {

using MakeFactory = FusedKernelFactory* (*)();

struct Opened {
    MakeFactory make = nullptr;
    std::string why;
};

// The module lies beside libfusescope.so in the build tree, or in a folder of its own when installed.
Opened open_module() {
    Opened opened;
    Dl_info info{};
    std::filesystem::path folder;
    if (dladdr(reinterpret_cast<void*>(&open_module), &info) && info.dli_fname) {
        folder = std::filesystem::path(info.dli_fname).parent_path();
    }
    void* module = nullptr;
    for (const char* place : {"fusescope-codegen.so", "fusescope/fusescope-codegen.so"}) {
        module = dlopen((folder / place).c_str(), RTLD_NOW | RTLD_LOCAL);
        if (module) break;
        // The first place that has the file says what is wrong with it.
        const char* fault = dlerror();
        if (opened.why.empty() || std::filesystem::exists(folder / place)) opened.why = fault ? fault : "";
    }
    if (!module) return opened;
    opened.why.clear();
    opened.make = reinterpret_cast<MakeFactory>(dlsym(module, "fusescope_make_kernel_factory"));
    if (!opened.make) opened.why = std::string(info.dli_fname) + ": the code generator is of another version";
    return opened;
}

}  // namespace

void KernelFactory::prepare(std::span<const ir::NodePtr> nodes) {
    std::vector<ir::NodePtr> wanted;
    for (const ir::NodePtr& n : nodes) {
        if (n->kernel == "elementwise" || n->kernel == "multi") wanted.push_back(n);
    }
    if (wanted.empty()) return;
    static const Opened opened = open_module();
    missing_ = opened.why;
    if (!opened.make) return;
    try {
        if (!generator_) generator_.reset(opened.make());
        generator_->prepare(wanted);
    } catch (const std::exception& e) {
        // What was compiled before stays usable; these nodes run member by member.
        missing_ = e.what();
        generator_.reset();
    }
}

std::unique_ptr<FusedKernel> KernelFactory::make(const ir::NodePtr& node) {
    if (auto kernel = make_library_kernel(*node)) return kernel;
    return generator_ ? generator_->make(node) : nullptr;
}

}  // namespace fusescope::exec
