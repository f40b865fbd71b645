// fusescope-make-profile: writes profiles to look at and to measure with.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>

#include "tests/gui/large_profile.hpp"
#include "tests/profiler/sample_profile.hpp"

int main(int argc, char** argv) {
    const std::string what = argc > 2 ? argv[1] : "";
    try {
        if (what == "sample" && argc == 3) {
            std::filesystem::create_directories(argv[2]);
            std::puts(fusescope::testing::write_sample_profile(argv[2]).c_str());
            return 0;
        }
        if (what == "large" && argc >= 4) {
            fusescope::testing::LargeProfile size;
            size.events = std::atoll(argv[3]);
            size.transfers = size.events / 100;
            size.graph_nodes = argc > 4 ? std::atoi(argv[4]) : 200;
            fusescope::testing::write_large_profile(argv[2], size);
            return 0;
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    std::fputs(
        "usage: fusescope-make-profile sample FOLDER\n"
        "       fusescope-make-profile large FILE EVENTS [GRAPH-NODES]\n",
        stderr);
    return 2;
}
