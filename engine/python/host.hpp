// Running a Python program inside this process, as `python3 SCRIPT` would.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fusescope/recorder.hpp"

namespace fusescope::python {

class ScriptDebugger;

struct ScriptOptions {
    std::string script;
    std::vector<std::string> args;
    std::string mode = "script";    ///< script, eager or graph
    std::string device = "script";  ///< script, cpu, ascend or ascend-model
    std::string passes;             ///< as --passes
    bool jit = true;                ///< false: jitted functions run like any other, as with MS_JIT=0
    /// What the script draws from Python's or numpy's generators without seeding them is the same in every run.
    bool repeatable = false;
    Watch watch = Watch::off;
    Recorder* recorder = nullptr;  ///< may be null
    ScriptDebugger* debugger = nullptr;  ///< may be null
    /// Called when the interpreter stands and has set its own signal handlers, before the script's first line.
    std::function<void()> started;
    /// Called when the script is about to end this process at once: with the status of os._exit, or with none when
    /// os.execv is to put another program in its place. Any thread, also of a forked child.
    std::function<void(std::optional<int>)> leaving;
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
