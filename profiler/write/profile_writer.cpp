// The public face of DatabaseRecorder for C++ programs.
#include "fusescope/profile.hpp"
#include "fusescope/record.hpp"
#include "profiler/db/database.hpp"
#include "profiler/write/recorder.hpp"

namespace fusescope {

struct ProfileWriter::Impl {
    DatabaseRecorder recorder;
    Impl(const std::string& path, const RunInfo& run) : recorder(path, run) {}
};

ProfileWriter::ProfileWriter(const std::string& path, const std::string& program,
                             const std::vector<std::string>& arguments) {
    RunInfo run;
    run.script = program;
    run.arguments = arguments;
    try {
        impl_ = std::make_unique<Impl>(path, run);
    } catch (const DatabaseError& e) {
        throw ProfileError(e.what());
    }
}

ProfileWriter::~ProfileWriter() = default;

Recorder& ProfileWriter::recorder() noexcept { return impl_->recorder; }

bool ProfileWriter::finish(bool ok, int exit_code) { return impl_->recorder.finish(ok ? "ok" : "raised", exit_code); }

std::string ProfileWriter::error() const { return impl_->recorder.error(); }

}  // namespace fusescope
