// Which run is this, how did it end, and what does the file say about itself?
#include "profiler/query/runs.hpp"

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "profiler/db/process_identity.hpp"

namespace fusescope::query {

std::vector<Run> runs(Database& database) {
    std::vector<Run> all;
    Statement statement = database.prepare(
        "SELECT id, script, arguments, mode, device, started_unix_ns, coalesce(started_ns, 0), ended_ns, status, rank, "
        "exit_code, options FROM run ORDER BY id");
    while (statement.step()) {
        Run& run = all.emplace_back();
        std::string arguments;
        statement.read(run.id, run.script, arguments, run.mode, run.device, run.started_unix_ns, run.started_ns,
                       run.ended_ns, run.status, run.rank, run.exit_code, run.options);
        nlohmann::json list = nlohmann::json::parse(arguments, nullptr, false);
        if (list.is_array()) {
            for (const auto& each : list) {
                if (each.is_string()) run.arguments.push_back(each.get<std::string>());
            }
        } else if (!arguments.empty()) {
            run.arguments.push_back(arguments);  // a foreign writer's plain text
        }
    }
    return all;
}

bool still_recording(Database& database) {
    if (database.integer("SELECT count(*) FROM run WHERE status = 'running'") == 0) return false;
    Statement writer = database.prepare("SELECT value FROM meta WHERE key = 'writer'");
    if (!writer.step()) return false;
    std::string text = writer.text(0);
    // "pid …" is what process_identity wrote; the pid alone may have been given to another process since.
    long pid = std::strtol(text.c_str(), nullptr, 10);
    return pid > 0 && text == process_identity(pid);
}

std::map<std::string, std::string> meta(Database& database) {
    std::map<std::string, std::string> all;
    Statement statement = database.prepare("SELECT key, value FROM meta");
    while (statement.step()) all[statement.text(0)] = statement.text(1);
    return all;
}

namespace {

constexpr std::int64_t kUnknown = std::numeric_limits<std::int64_t>::max();

std::int64_t earliest(Database& database) {
    std::int64_t first = kUnknown;
    // Each bound by itself, so that an index answers it where there is one.
    for (const char* begin :
         {"SELECT min(start_ns) FROM op_event", "SELECT min(start_ns) FROM transfer",
          "SELECT min(time_ns) FROM memory_event", "SELECT min(time_ns) FROM output",
          "SELECT min(compile_start_ns) FROM graph", "SELECT min(nullif(started_ns, 0)) FROM run"}) {
        first = std::min(first, database.integer(begin, first));
    }
    return first;
}

}  // namespace

std::int64_t first_moment(Database& database) {
    const std::int64_t first = earliest(database);
    return first == kUnknown ? 0 : first;
}

TimeRange time_span(Database& database) {
    TimeRange span{earliest(database), std::numeric_limits<std::int64_t>::min()};
    for (const char* end : {"SELECT max(start_ns + max(duration_ns, 0)) FROM op_event",
                            "SELECT max(start_ns + max(duration_ns, 0)) FROM transfer",
                            "SELECT max(time_ns) FROM memory_event", "SELECT max(time_ns) FROM output",
                            "SELECT max(compile_start_ns + compile_ns) FROM graph", "SELECT max(ended_ns) FROM run"}) {
        span.end_ns = std::max(span.end_ns, database.integer(end, span.end_ns));
    }
    if (span.begin_ns > span.end_ns) {
        bool begin_known = span.begin_ns != kUnknown;
        span.begin_ns = span.end_ns = begin_known ? span.begin_ns : 0;
    }
    return span;
}

Counts counts(Database& database) {
    Counts counts;
    counts.op_events = database.integer("SELECT max(id) FROM op_event");
    counts.transfers = database.integer("SELECT max(id) FROM transfer");
    counts.memory_events = database.integer("SELECT max(id) FROM memory_event");
    counts.graphs = database.integer("SELECT count(*) FROM graph");
    counts.graph_breaks = database.integer("SELECT count(*) FROM graph_break");
    counts.tensors = database.integer("SELECT max(id) FROM tensor");
    counts.findings = database.integer("SELECT count(*) FROM finding");
    counts.outputs = database.integer("SELECT max(id) FROM output");
    return counts;
}

}  // namespace fusescope::query
