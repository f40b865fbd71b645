#include "engine/exec/kernel_factory.hpp"

#include <dlfcn.h>

#include <filesystem>

namespace fusescope::exec {
namespace {

using MakeFactory = FusedKernelFactory* (*)();

struct Opened {
    MakeFactory make = nullptr;
    std::string why;
};

// The module lies beside libfusescope.so, in the build tree and when installed.
Opened open_module() {
    Opened opened;
    Dl_info info{};
    std::filesystem::path path = "fusescope-codegen.so";
    if (dladdr(reinterpret_cast<void*>(&make_kernel_factory), &info) && info.dli_fname) {
        path = std::filesystem::path(info.dli_fname).parent_path() / path;
    }
    void* module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!module) {
        opened.why = dlerror();
        return opened;
    }
    opened.make = reinterpret_cast<MakeFactory>(dlsym(module, "fusescope_make_kernel_factory"));
    if (!opened.make) opened.why = path.string() + " is no code generator of this version";
    return opened;
}

}  // namespace

std::shared_ptr<FusedKernelFactory> make_kernel_factory(std::string& why) {
    static const Opened opened = open_module();
    why = opened.why;
    return opened.make ? std::shared_ptr<FusedKernelFactory>(opened.make()) : nullptr;
}

}  // namespace fusescope::exec
