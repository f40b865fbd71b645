// Runs a script in the engine with nothing that records: the other side of what recording costs.
#include <cstdio>

#include "engine/python/host.hpp"

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: run_plain SCRIPT [ARGS…]\n");
        return 2;
    }
    fusescope::python::ScriptOptions options;
    options.script = argv[1];
    options.args.assign(argv + 2, argv + argc);
    options.device = "cpu";
    return fusescope::python::run_script(options).exit_status;
}
