// Running a program several times, each in a child process of its own that leaves a log. All runs get the same
// arguments and the same standard input, and what they draw from unseeded generators is the same.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "profiler/check/log.hpp"

namespace fusescope::cli {

struct ChildOptions {
    std::string script;
    std::vector<std::string> args;
    std::string device = "script";
    bool graphs = false;  ///< everything as graphs; else nothing, not even jitted functions
    std::string passes;
    check::Keep keep;
    std::string profile;               ///< the run is recorded into this file as well; empty: it is not
    int show_out = -1, show_err = -1;  ///< descriptors that get a copy of what the program writes; -1: none
};

struct ChildRun {
    check::Log log;
    int status = 0;  ///< exit status; 128 + n when signal n ended it
    std::string out, err;
};

class Children {
 public:
    Children();
    ~Children();
    Children(const Children&) = delete;
    Children& operator=(const Children&) = delete;

    /// Throws WriteError when the log cannot be kept.
    ChildRun run(const ChildOptions& options);

 private:
    struct Streams;
    int input_for_child(Streams& streams);
    void pump(Streams& streams, pid_t child, ChildRun& run, const ChildOptions& options);

    int input_ = -1;           ///< what standard input has given, or standard input itself when it can be read again
    off_t input_from_ = 0;     ///< where the program's input begins in it
    bool copy_input_ = false;  ///< the first run takes from standard input and leaves a copy
};

}  // namespace fusescope::cli
