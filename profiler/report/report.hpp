// What --report answers, as plain values: collected once, then shown as text, JSON or HTML. Durations are grouped by
// their clock and never added up across clocks.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fusescope/event.hpp"
#include "profiler/report/document.hpp"

namespace fusescope {
class Database;
}

namespace fusescope::report {

struct Place {
    std::string file;  ///< as the program knew it; empty when unknown
    std::int64_t line = 0;
    std::string source;  ///< the line's text, trimmed; empty when it was not kept
    std::string function;
};

/// A group of op events of one clock.
struct TimeRow {
    std::string name;                  ///< op, kernel, scope; for a line empty
    Place place;                       ///< of lines and kernels
    std::string graph;                 ///< of kernels: the graph it belongs to
    std::vector<std::string> members;  ///< of kernels: captured ops it was made from
    std::int64_t count = 0;
    std::int64_t self_ns = 0;   ///< without what ran inside
    std::int64_t total_ns = 0;  ///< sum of durations
    std::int64_t longest_ns = 0;
    std::uint64_t bytes = 0;
    std::uint64_t flops = 0;
};

struct ClockTimes {
    Clock clock = Clock::measured;
    std::int64_t count = 0;
    std::int64_t self_ns = 0;                                  ///< over all ops
    std::vector<TimeRow> ops, lines, kernels, scopes, phases;  ///< most self time first
};

/// Wall time split up; the parts add up to the wall exactly. Only measured times.
struct WallSplit {
    std::int64_t wall_ns = 0;
    std::int64_t ops_ns = 0, transfers_ns = 0, compile_ns = 0;
    std::int64_t rest_ns = 0;  ///< Python, waiting, and computing what a modelled device stands for
};

struct StageRow {
    std::int64_t ordinal = 0;
    std::string pass;
    std::int64_t duration_ns = 0;
    bool changed = false;
    std::int64_t nodes = 0;  ///< that compute: neither parameters, constants nor the return
    std::int64_t rewrites = 0;
    std::string note;
};

struct Member {
    std::string op;
    Place place;
};

struct KernelRow {
    std::string name, op;
    std::vector<Member> members;
};

struct GraphRow {
    std::int64_t id = 0;
    std::string name, signature;
    Place place;
    std::int64_t compile_ns = 0;
    std::int64_t nodes_before = 0, nodes_after = 0;
    std::uint64_t bytes_before = 0, bytes_after = 0;  ///< memory traffic of one run
    std::optional<std::int64_t> planned_peak_bytes;
    std::vector<StageRow> stages;
    std::vector<KernelRow> kernels;  ///< final nodes that came from two or more captured ones
};

struct TransferRow {
    std::string kind, reason;
    Clock clock = Clock::measured;
    std::int64_t count = 0;
    std::uint64_t bytes = 0;
    std::int64_t duration_ns = 0;
};

struct TransferLine {
    Place place;
    std::string kind, reason;
    Clock clock = Clock::measured;
    std::int64_t count = 0;
    std::uint64_t bytes = 0;
    std::int64_t duration_ns = 0;
};

struct BreakRow {
    std::string graph, reason;
    Place place;
    std::int64_t count = 0;
};

struct FindingRow {
    std::string kind, severity, op, message, advice, phase, rule;
    Place place;
    std::optional<std::int64_t> step;
    std::string root_op;
    std::int64_t root_line = 0;
    std::string root_file;
    std::int64_t count = 1;  ///< equal findings at the same place
};

struct MemoryRow {
    std::string device;
    std::int64_t peak_bytes = 0;
    std::int64_t peak_ns = 0;  ///< since the run began
    std::string op;            ///< that was running at the peak; may be empty
    Place place;
    std::int64_t end_bytes = 0;
};

struct Report {
    std::string profile;
    std::string script, mode, device, status;
    std::vector<std::string> arguments;
    std::vector<std::string> modes_seen, devices_seen;  ///< of the ops that ran, in order of appearance
    std::int64_t started_unix_ns = 0;
    std::optional<std::int64_t> exit_code;
    bool incomplete = false;  ///< the run was cut short, or goes on: everything up to its last batch is there
    bool recording = false;   ///< it goes on
    std::int64_t steps = 0;
    WallSplit wall;
    std::array<ClockTimes, 2> times{ClockTimes{Clock::measured}, ClockTimes{Clock::modelled}};
    std::vector<GraphRow> graphs;
    std::int64_t compile_ns = 0;
    std::vector<TransferRow> transfers;
    std::vector<TransferLine> transfer_lines;
    std::vector<BreakRow> breaks;
    std::vector<FindingRow> recompiles;
    std::vector<FindingRow> findings;  ///< worst first
    std::vector<MemoryRow> memory;
    std::vector<std::pair<std::string, std::string>> notes;  ///< what the recording left out, and why
};

Report collect(Database& database);
Document to_document(const Report& report);
std::string to_json(const Report& report);

/// "train.py:12", "?" when unknown.
std::string place_text(const Place& place);

}  // namespace fusescope::report
