// The public handle on a saved profile.
#include "fusescope/profile.hpp"

#include "profiler/query/finding_detail.hpp"
#include "profiler/query/findings.hpp"
#include "profiler/query/op_times.hpp"
#include "profiler/query/runs.hpp"

namespace fusescope {

struct Profile::Impl {
    Database database;
};

namespace {

/// The library's own exception does not show in the public interface.
template <class Ask>
auto translated(Ask ask) {
    try {
        return ask();
    } catch (const DatabaseError& error) {
        throw ProfileError(error.what());
    }
}

}  // namespace

Profile::Profile(const std::string& path)
    : impl_(translated([&] { return std::make_unique<Impl>(Impl{Database::open_readonly(path)}); })) {}
Profile::Profile(Profile&&) noexcept = default;
Profile& Profile::operator=(Profile&&) noexcept = default;
Profile::~Profile() = default;

ProfileRun Profile::run() const {
    return translated([&] {
        ProfileRun result;
        std::vector<query::Run> all = query::runs(impl_->database);
        if (all.empty()) return result;
        query::Run& run = all.front();
        result.script = run.script;
        result.arguments = std::move(run.arguments);
        result.mode = run.mode;
        result.device = run.device;
        result.started_unix_ns = run.started_unix_ns;
        if (run.ended_ns && run.started_ns > 0) result.duration_ns = *run.ended_ns - run.started_ns;
        result.status = run.status;
        if (run.exit_code) result.exit_code = static_cast<int>(*run.exit_code);
        return result;
    });
}

std::vector<ProfileOpTime> Profile::op_times() const {
    return translated([&] {
        std::vector<ProfileOpTime> rows;
        for (query::KindTime& time : query::times_by_kind(impl_->database)) {
            rows.push_back({std::move(time.name), time.clock, time.calls, time.total_ns, time.bytes(), time.flops});
        }
        return rows;
    });
}

std::vector<ProfileFinding> Profile::findings() const {
    return translated([&] {
        std::vector<ProfileFinding> rows;
        for (query::FindingInfo& finding : query::findings(impl_->database)) {
            query::FindingDetail detail = query::parse_finding_detail(finding.detail);
            rows.push_back({std::move(finding.kind), std::move(finding.severity), std::move(finding.message),
                            detail.file.empty() ? std::move(finding.path) : std::move(detail.file),
                            detail.line > 0 ? detail.line : finding.line, std::move(detail.advice)});
        }
        return rows;
    });
}

}  // namespace fusescope
