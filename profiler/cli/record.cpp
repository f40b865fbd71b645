// `fusescope --record`: makes the recorder, runs the script, and tells how both ended.
#include "profiler/cli/record.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <map>

#include "engine/passes/pass.hpp"
#include "engine/python/host.hpp"
#include "fusescope/error.hpp"
#include "profiler/cli/verbs.hpp"
#include "profiler/db/database.hpp"
#include "profiler/query/findings.hpp"
#include "profiler/write/recorder.hpp"

namespace fusescope::cli {

namespace {

/// A standard stream that whoever started us closed would be given to the next file opened, and the script would print
/// into it; python3 drops what is printed then.
void stand_in_for_closed_streams() {
    for (const int descriptor : {0, 1, 2}) {
        if (::fcntl(descriptor, F_GETFD) < 0 && errno == EBADF) {
            if (::open("/dev/null", descriptor == 0 ? O_RDONLY : O_WRONLY) != descriptor) return;
        }
    }
}

/// Which process of a distributed run this is, by the variables that MindSpore and its launchers set.
std::int64_t rank_of_process() {
    for (const char* name : {"RANK_ID", "RANK", "OMPI_COMM_WORLD_RANK"}) {
        const char* text = std::getenv(name);
        char* end = nullptr;
        if (text != nullptr && *text != '\0') {
            const long long rank = std::strtoll(text, &end, 10);
            if (*end == '\0' && rank >= 0) return rank;
        }
    }
    return 0;
}

const char* word_of(Watch watch) {
    constexpr const char* words[] = {"off", "health", "stats", "values"};
    return words[static_cast<int>(watch)];
}

/// True when a finding of one of the kinds was recorded; says which.
bool tell_findings(const RecordOptions& options) {
    if (options.fail_on.empty()) return false;
    Database database = Database::open_readonly(options.out);
    std::map<std::string, std::pair<int, query::FindingInfo>> found;
    for (query::FindingInfo& finding : query::findings(database)) {
        const bool asked = std::any_of(options.fail_on.begin(), options.fail_on.end(),
                                       [&](FindingKind kind) { return finding.kind == name_of(kind); });
        if (!asked) continue;
        // A bad value that a `where` discarded, a mask of -inf, or what is only probably wrong, is no reason to fail.
        const bool value = finding.kind == name_of(FindingKind::nan) || finding.kind == name_of(FindingKind::inf) ||
                           finding.kind == name_of(FindingKind::overflow);
        if (value && finding.severity != name_of(Severity::error)) continue;
        auto [it, fresh] = found.try_emplace(finding.kind);
        ++it->second.first;
        if (fresh) it->second.second = std::move(finding);
    }
    for (const auto& [kind, entry] : found) {
        const auto& [count, first] = entry;
        std::string where = first.path.empty() ? "" : first.path + ":" + std::to_string(first.line) + ": ";
        tell("--fail-on: " + std::to_string(count) + " " + kind + (count == 1 ? " finding; " : " findings; first: ") +
             where + first.message);
    }
    return !found.empty();
}

}  // namespace

void check_script(const std::string& script) {
    struct stat status {};
    if (script == "-") return;  // the program comes from standard input
    if (::stat(script.c_str(), &status) != 0 || ::access(script.c_str(), R_OK) != 0) {
        throw UsageError("can't open the script '" + script + "': " + std::strerror(errno));
    }
    if (S_ISDIR(status.st_mode) && ::access((script + "/__main__.py").c_str(), R_OK) != 0) {
        throw UsageError("'" + script + "' is a folder without a __main__.py; name a script in it");
    }
}

void check_passes(const std::string& spec) {
    try {
        const passes::PassSwitches switches(spec);
    } catch (const UserError& error) {
        throw UsageError(error.what());
    }
}

int run_recorded(const RecordOptions& options) {
    check_script(options.script);
    check_passes(options.passes);
    stand_in_for_closed_streams();
    RunInfo run;
    run.script = options.script;
    run.arguments = options.args;
    run.mode = options.mode;
    run.device = options.device;
    run.rank = rank_of_process();
    run.options["watch"] = word_of(options.watch);
    if (!options.passes.empty()) run.options["passes"] = options.passes;
    DatabaseRecorder recorder(options.out, run, {.values_budget = static_cast<std::size_t>(options.values_budget)});

    const auto leaving = [&](std::optional<int> status) {
        if (status) {
            recorder.finish("ok", *status & 0xff);
        } else {
            recorder.flush();
        }
    };
    const python::ScriptResult result = python::run_script({.script = options.script,
                                                            .args = options.args,
                                                            .mode = options.mode,
                                                            .device = options.device,
                                                            .passes = options.passes,
                                                            .watch = options.watch,
                                                            .recorder = &recorder,
                                                            .started = [&] { recorder.save_on_fatal_signal(); },
                                                            .leaving = leaving});
    const bool written = recorder.finish(result.interrupted ? "killed"
                                         : result.raised    ? "raised"
                                                            : "ok",
                                         result.exit_status);
    if (!written) tell(recorder.error());
    if (recorder.dropped() > 0) {
        tell(std::to_string(recorder.dropped()) + " events were left out: the disk could not keep up");
    }
    if (written && ::isatty(STDERR_FILENO)) tell("wrote " + options.out + "; fusescope --report " + options.out);
    if (result.interrupted) {
        // As under python3: whoever started us sees that it was Ctrl-C, and a shell loop stops.
        std::signal(SIGINT, SIG_DFL);
        std::raise(SIGINT);
    }
    if (!written) return kFileError;
    if (tell_findings(options)) return kFound;
    return result.exit_status;
}

}  // namespace fusescope::cli
