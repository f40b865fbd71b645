// `fusescope --dap`: between a debugger's window and the program under debugging, which runs in a process of its own.
// What happens to that process (a crash, os._exit, a kill) is told to the window, and never to us.
#pragma once

#include <optional>
#include <string>

namespace fusescope::cli {

struct DapOptions {
    std::optional<int> listen;  ///< port on loopback, 0: any free one; nothing: standard input and output
};

/// Serves one client on standard input and output, or any number on a port until it is killed.
int run_dap(const DapOptions& options);

/// The other side: runs the program that is asked for over descriptor `channel`. Not for users.
int run_debuggee(int channel);

/// "Segmentation fault (SIGSEGV)".
std::string signal_name(int number);

}  // namespace fusescope::cli
