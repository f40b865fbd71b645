// The process that runs the program under debugging, from the adapter's side.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

#include "profiler/cli/dap/outbox.hpp"

namespace fusescope::cli {

class DebuggeeProcess {
 public:
    /// Starts this executable again as a debuggee. `own_input`: the program reads our standard input; else a pipe.
    /// Throws std::system_error.
    explicit DebuggeeProcess(bool own_input);
    ~DebuggeeProcess();  ///< kills it when it still runs
    DebuggeeProcess(const DebuggeeProcess&) = delete;
    DebuggeeProcess& operator=(const DebuggeeProcess&) = delete;

    int channel() const noexcept { return channel_; }
    int output() const noexcept { return output_; }
    int errors() const noexcept { return errors_; }
    /// The debuggee learns that there is nobody any more.
    void close_channel() noexcept;
    void close_output() noexcept;
    void close_errors() noexcept;

    /// On its way when the debuggee reads; nothing happens when it is gone.
    void send(const std::string& bytes) { to_channel_.put(channel_, bytes); }
    /// For the program's standard input. Empty, or why it cannot be written.
    std::string type(const std::string& text);
    /// The end of the program's standard input, behind what was typed.
    void end_input();
    /// The pipe of that; -1: there is none.
    int input() const noexcept { return input_; }
    bool waits_to_send() const noexcept { return !to_channel_.empty(); }
    bool waits_to_type() const noexcept { return !to_input_.empty(); }
    /// Goes on with both.
    void flush();
    void signal(int number) noexcept;
    /// The wait status once it has ended.
    std::optional<int> ended();
    pid_t pid() const noexcept { return pid_; }

 private:
    pid_t pid_ = -1;
    int channel_ = -1, input_ = -1, output_ = -1, errors_ = -1;
    Outbox to_channel_, to_input_;
    bool input_ends_ = false;
    std::optional<int> status_;
};

/// Writes everything, also to a descriptor that does not block; false when nobody reads any more.
bool write_all(int descriptor, const std::string& bytes);

}  // namespace fusescope::cli
