// A script run by the real program in a folder of its own, and what its profile then holds.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace fusescope::testing {

struct Outcome {
    int status = -1;  ///< exit status; 128 + n when a signal ended it
    std::string out, err;
};

std::string content(const std::string& path);

class RecordedScript : public ::testing::Test {
 protected:
    RecordedScript();
    ~RecordedScript() override;

    std::string operator/(const std::string& name) const { return (folder_ / name).string(); }
    void write(const std::string& name, const std::string& text) const;

    /// A shell command line, run in the folder; "fusescope" in it is the program under test.
    Outcome shell(const std::string& line) const;
    /// Writes `text` to run.py and records it to run.fscope.
    Outcome record(const std::string& text, const std::string& options = "") const;

    /// Starts a recording of `text` to run.fscope and returns when it has printed "go".
    pid_t start(const std::string& text) const;
    /// The exit status as in Outcome.
    static int wait_for(pid_t child);

    std::string status(const std::string& profile = "run.fscope") const;
    std::int64_t integer(const std::string& sql, const std::string& profile = "run.fscope") const;
    std::string text(const std::string& sql, const std::string& profile = "run.fscope") const;
    /// What lies in the folder whose name begins so, sorted.
    std::vector<std::string> files(const std::string& prefix = "run.fscope") const;

    /// Mounts a file system in memory on folder "disk"; false when this process may not.
    bool mount_disk(const std::string& options);
    void unmount_disk();

 private:
    std::filesystem::path folder_;
    bool mounted_ = false;
};

}  // namespace fusescope::testing
