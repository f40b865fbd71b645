// The verbs of the command, one function each; each returns the exit status.
#pragma once

#include "profiler/cli/arguments.hpp"

namespace fusescope::cli {

int run_report(const Command& command);
int run_compare(const Command& command);
int run_export(const Command& command);
int run_check(const Command& command);
/// Replaces this process by the window. Returns only when there is none.
int open_window(const Command& command);
/// --list-ops and --list-passes.
int list_ops();
int list_passes();

/// Writes what a verb answers; to standard output when `out` is empty or "-".
void write_answer(const std::string& out, const std::string& text);

/// Something that the user should read, on stderr: "fusescope: …".
void tell(const std::string& message);

}  // namespace fusescope::cli
