// The process that runs the program under debugging, from the adapter's side.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

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
    void close_output() noexcept;
    void close_errors() noexcept;

    /// Whole message, or nothing when the other side is gone.
    bool send(const std::string& bytes);
    /// For the program's standard input; false when that is not a pipe.
    bool type(const std::string& text);
    void signal(int number) noexcept;
    /// The wait status once it has ended.
    std::optional<int> ended();
    pid_t pid() const noexcept { return pid_; }

 private:
    pid_t pid_ = -1;
    int channel_ = -1, input_ = -1, output_ = -1, errors_ = -1;
    std::optional<int> status_;
};

/// Writes everything, also to a descriptor that does not block; false when nobody reads any more.
bool write_all(int descriptor, const std::string& bytes);

}  // namespace fusescope::cli
