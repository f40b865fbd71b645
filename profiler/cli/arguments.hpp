// The command line as a value. Parsing touches no file and starts nothing, so that a test can ask for any of it.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "profiler/cli/record.hpp"

namespace fusescope::cli {

enum ExitStatus { kDone = 0, kRaised = 1, kUsage = 2, kFound = 3, kFileError = 4 };

/// What the user typed makes no sense; ends the command with status 2.
struct UsageError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

enum class Verb {
    window,
    record,
    report,
    compare,
    export_profile,
    check,
    list_ops,
    list_passes,
    dap,
    debuggee,
    version,
    help
};

struct Command {
    Verb verb = Verb::window;
    std::vector<std::string> files;  ///< to open in the window; PROFILE; BASE and NEW
    std::string format = "text";     ///< of a report: text, json, html; of an export: "trace.json", …
    std::string out;                 ///< where to write; empty or "-" is standard output
    std::optional<double> fail_above;
    std::optional<double> rtol, atol;  ///< of --check
    std::string keep;                  ///< of --check: the folder for what is to be looked at; empty: none
    RecordOptions record;              ///< --check has its script, device, passes and budget here too
    std::optional<int> port;           ///< of --dap --listen
    int channel = -1;                  ///< of --debuggee
    std::string help;                  ///< the text of --help
};

/// Throws UsageError. `arguments` are without the program's name.
Command parse_arguments(const std::vector<std::string>& arguments);

/// "256M", "1G", "512k", "1.5GiB", "4096": bytes, with powers of 1024. Nothing when it is no size.
std::optional<std::uint64_t> parse_size(const std::string& text);

/// "nan,break" to kinds of findings; throws UsageError and names the word it does not know.
std::vector<FindingKind> parse_fail_on(const std::string& text);

}  // namespace fusescope::cli
