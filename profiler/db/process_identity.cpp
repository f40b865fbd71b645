// Telling whether the process that wrote something is still there.
#include "profiler/db/process_identity.hpp"

#include <fstream>
#include <sstream>

namespace fusescope {

std::string process_identity(long pid) {
    std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
    std::string line;
    std::getline(stat, line);
    // The second field is the program's name in parentheses and may hold anything; the start time is the 22nd.
    std::size_t after_name = line.rfind(')');
    if (after_name == std::string::npos) return {};
    std::istringstream fields(line.substr(after_name + 1));
    std::string word;
    for (int number = 3; number <= 22; ++number) {
        if (!(fields >> word)) return {};
        if (number == 3 && (word == "Z" || word == "X"))
            return {};  // it has ended, nobody has asked for its status yet
    }
    std::string boot;
    std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), boot);
    return std::to_string(pid) + " " + word + " " + boot;
}

}  // namespace fusescope
