// Which run is this, how did it end, and what does the file say about itself?
#pragma once

#include <map>
#include <string>
#include <vector>

#include "profiler/query/common.hpp"

namespace fusescope::query {

struct Run {
    std::int64_t id = 0;
    std::string script;
    std::vector<std::string> arguments;
    std::string mode;
    std::string device;
    std::int64_t started_unix_ns = 0;
    std::int64_t started_ns = 0;           ///< zero of the time line
    std::optional<std::int64_t> ended_ns;  ///< empty while it runs and when it was cut short
    std::string status;                    ///< "running", "ok", "raised", "killed"
    std::int64_t rank = 0;
    std::optional<std::int64_t> exit_code;
    std::string options;  ///< JSON object

    /// The end was recorded. False for a run that still goes on, and for one that was cut short.
    bool complete() const { return status != "running"; }
};

std::vector<Run> runs(Database& database);

/// The process that records the profile is alive, on this machine. False for a run that was cut short: both have the
/// status "running".
bool still_recording(Database& database);

/// The facts of table meta: "version", "dropped_events", "values_skipped", …
std::map<std::string, std::string> meta(Database& database);

/// From the first to the last moment that anything was recorded in (ops, transfers, memory, output, compilations).
/// Equal ends when nothing was.
TimeRange time_span(Database& database);

/// Where that span begins; quick where the long tables have their indexes, unlike its end.
std::int64_t first_moment(Database& database);

/// How many rows there are of each thing: enough for an overview, and to see whether a growing profile has grown.
struct Counts {
    std::int64_t op_events = 0, transfers = 0, memory_events = 0, graphs = 0, graph_breaks = 0, tensors = 0,
                 findings = 0, outputs = 0;
    friend bool operator==(const Counts&, const Counts&) = default;
};

/// Exact for findings, graphs and breaks; for the long tables the largest id, which a recording makes equal to it.
Counts counts(Database& database);

}  // namespace fusescope::query
