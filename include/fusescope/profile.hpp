// A read-only handle on a saved profile for C++ programs: what ran, where the time went, what was found.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "fusescope/event.hpp"

namespace fusescope {

/// A profile could not be opened or read; what() names the file, what is wrong and what to do.
class ProfileError : public std::runtime_error {
 public:
    using std::runtime_error::runtime_error;
};

/// How the recorded run was started and how it ended.
struct ProfileRun {
    std::string script;
    std::vector<std::string> arguments;
    std::string mode;                         ///< "script", "eager" or "graph"
    std::string device;                       ///< "script", "cpu", "ascend" or "ascend-model"
    std::int64_t started_unix_ns = 0;         ///< wall clock, nanoseconds since 1970
    std::optional<std::int64_t> duration_ns;  ///< empty while it runs and when it was cut short
    std::string status;                       ///< "running", "ok", "raised" or "killed"
    std::optional<int> exit_code;
};

/// All executions of one op, by one clock.
struct ProfileOpTime {
    std::string name;  ///< "MatMul", or the name of a fused kernel
    Clock clock = Clock::measured;
    std::int64_t calls = 0;
    std::int64_t total_ns = 0;
    std::int64_t bytes = 0;  ///< read plus written
    std::int64_t flops = 0;
};

struct ProfileFinding {
    std::string kind;      ///< "nan", "shape", "graph_break", …
    std::string severity;  ///< "info", "warning" or "error"
    std::string message;   ///< a whole sentence
    std::string file;      ///< of the user's line; empty when it is about no line
    std::int64_t line = 0;
    std::string advice;  ///< what to try; may be empty
};

/// Opens a profile, also one that is being recorded or was cut short. Nothing stored in the file is executed and the
/// file is not changed. One thread at a time.
class Profile {
 public:
    /// Throws ProfileError.
    explicit Profile(const std::string& path);
    Profile(Profile&&) noexcept;
    Profile& operator=(Profile&&) noexcept;
    ~Profile();

    ProfileRun run() const;

    /// One row per op and clock, longest first. Measured and modelled times are never added up together.
    std::vector<ProfileOpTime> op_times() const;

    std::vector<ProfileFinding> findings() const;

 private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace fusescope
