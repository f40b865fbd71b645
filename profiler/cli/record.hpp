// `fusescope --record`: the bridge between the engine's Python host and the profile writer. The only file of the
// command that needs both.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fusescope/finding.hpp"
#include "fusescope/recorder.hpp"

namespace fusescope::cli {

struct RecordOptions {
    std::string out;
    std::string mode = "script";    ///< script, eager, graph
    std::string device = "script";  ///< script, cpu, ascend, ascend-model
    Watch watch = Watch::health;
    std::uint64_t values_budget = 256u << 20;  ///< bytes of tensor data to keep
    std::string passes;
    std::vector<FindingKind> fail_on;
    std::string script;
    std::vector<std::string> args;
};

/// Throw UsageError when there is no such script (python3 would end with status 2 as well), or no such pass: that is
/// said at once and not at the first compilation.
void check_script(const std::string& script);
void check_passes(const std::string& spec);

/// Runs the script with a recorder and returns the exit status of the command. Throws UsageError and WriteError before
/// the script starts; later failures are told on stderr.
int run_recorded(const RecordOptions& options);

}  // namespace fusescope::cli
