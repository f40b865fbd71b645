// Starts the window, which is a program of its own: this one links no Qt.
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstring>

#include "profiler/cli/verbs.hpp"

namespace fusescope::cli {

namespace {

constexpr const char* kWindow = "fusescope-gui";

std::string folder_of_this_program() {
    char path[PATH_MAX];
    const ssize_t length = ::readlink("/proc/self/exe", path, sizeof path);
    if (length <= 0) return "";
    const std::string program(path, static_cast<std::size_t>(length));
    return program.substr(0, program.find_last_of('/'));
}

}  // namespace

int open_window(const Command& command) {
    std::vector<std::string> words{kWindow};
    for (const std::string& file : command.files) words.push_back(file);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);

    const std::string beside = folder_of_this_program() + "/" + kWindow;
    ::execv(beside.c_str(), arguments.data());
    if (errno != ENOENT) {
        tell("cannot start '" + beside + "': " + std::strerror(errno));
        return kFileError;
    }
    ::execvp(kWindow, arguments.data());
    tell(errno == ENOENT
             ? "the window is not installed here (no fusescope-gui beside this program or in PATH); "
               "'fusescope --report PROFILE' shows a profile as text, 'fusescope --help' says what else there is"
             : std::string("cannot start fusescope-gui: ") + std::strerror(errno));
    return kFileError;
}

}  // namespace fusescope::cli
