// Running a Python program inside this process, as `python3 SCRIPT` would.
#pragma once

#include <string>
#include <vector>

#include "fusescope/recorder.hpp"

namespace fusescope::python {

struct ScriptOptions {
    std::string script;
    std::vector<std::string> args;
    std::string mode = "script";    ///< script, eager or graph
    std::string device = "script";  ///< script, cpu, ascend or ascend-model
    std::string passes;             ///< as --passes
    Watch watch = Watch::off;
    Recorder* recorder = nullptr;  ///< may be null
};

struct ScriptResult {
    int exit_status = 0;       ///< what python3 would have exited with
    bool raised = false;       ///< ended by an exception other than SystemExit
    bool interrupted = false;  ///< ended by Ctrl-C
};

/// Runs the script to its end; once per process. The script sees its own sys.argv, __main__, stdin and working
/// directory; what it writes goes to stdout and stderr, with a copy to the recorder.
ScriptResult run_script(const ScriptOptions& options);

}  // namespace fusescope::python
