// The executable: sets what must be set before the engine's libraries are loaded, then opens them.
//
// libgomp reads its settings from the environment when it is loaded. By default it lets a thread spin for some
// milliseconds at each barrier; on a machine with other work the thread that is waited for may not run all that time,
// and a training step becomes ten times slower. A short spin costs next to nothing when the machine is free.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
    constexpr const char* kSpin = "GOMP_SPINCOUNT";
    const bool free_choice = !std::getenv("OMP_WAIT_POLICY") && !std::getenv(kSpin);
    if (free_choice) ::setenv(kSpin, "2000", 1);
    // Global: extension modules of Python find the interpreter's symbols there.
    void* program = ::dlopen("libfusescope-cli.so", RTLD_NOW | RTLD_GLOBAL);
    // Scripts and what they start see the user's own environment.
    if (free_choice) ::unsetenv(kSpin);
    auto* run = program ? reinterpret_cast<int (*)(int, char**)>(::dlsym(program, "fusescope_main")) : nullptr;
    if (!run) {
        std::fprintf(stderr, "fusescope: %s\n", ::dlerror());
        return 4;
    }
    return run(argc, argv);
}
