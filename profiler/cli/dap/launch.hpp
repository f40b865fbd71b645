// What a launch configuration may say.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "engine/debug/history.hpp"
#include "fusescope/recorder.hpp"
#include "profiler/dap/message.hpp"

namespace fusescope::cli {

struct Launch {
    std::string program, folder, profile, mode, device, passes;
    std::vector<std::string> args;
    std::vector<std::pair<std::string, std::string>> set_variables;
    std::vector<std::string> unset_variables;
    Watch watch = Watch::health;
    debug::HistoryLimits history;
    bool observed = true, stop_on_entry = false, step_into_libraries = false;
};

/// Throws UsageError, which names the key and what it may be.
Launch launch_of(const dap::Json& arguments);

}  // namespace fusescope::cli
