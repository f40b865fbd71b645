// Recording a C++ program: everything between making and destroying a RecordedRun goes into a profile.
#pragma once

#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "fusescope/recorder.hpp"
#include "fusescope/runtime.hpp"

namespace fusescope {

/// Opens a profile for writing: a Recorder that fills `path` from a thread of its own. `program` and `arguments` are
/// what the profile says was run. An old profile of that name is replaced, any other file is refused. Throws
/// ProfileError (fusescope/profile.hpp).
class ProfileWriter {
 public:
    ProfileWriter(const std::string& path, const std::string& program, const std::vector<std::string>& arguments = {});
    /// Ends the profile as "killed" unless finish() was called.
    ~ProfileWriter();
    ProfileWriter(const ProfileWriter&) = delete;
    ProfileWriter& operator=(const ProfileWriter&) = delete;

    Recorder& recorder() noexcept;
    /// Writes what is under way and closes the file. False, with the reason in error(), when it could not be written.
    bool finish(bool ok = true, int exit_code = 0);
    std::string error() const;

 private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// Records this thread from construction to finish() or destruction, which counts as an end by exception when one is
/// on its way.
class RecordedRun {
 public:
    RecordedRun(const std::string& path, const std::string& program, const std::vector<std::string>& arguments = {},
                Watch watch = Watch::health)
        : writer_(path, program, arguments),
          exceptions_(std::uncaught_exceptions()),
          recording_(std::make_unique<Recording>(writer_.recorder(), watch)) {}
    ~RecordedRun() { finish(std::uncaught_exceptions() == exceptions_, 0); }

    /// False, with the reason in error(), when the profile could not be written whole.
    bool finish(bool ok = true, int exit_code = 0) {
        recording_.reset();
        return writer_.finish(ok, ok ? exit_code : 1);
    }
    std::string error() const { return writer_.error(); }

 private:
    ProfileWriter writer_;
    int exceptions_;
    std::unique_ptr<Recording> recording_;
};

}  // namespace fusescope
