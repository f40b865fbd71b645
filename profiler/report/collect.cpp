// Asks the queries and puts the answers together. Reads every op event once.
#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include "profiler/query/event_spans.hpp"
#include "profiler/query/finding_detail.hpp"
#include "profiler/query/findings.hpp"
#include "profiler/query/frames.hpp"
#include "profiler/query/graphs.hpp"
#include "profiler/query/memory.hpp"
#include "profiler/query/op_events.hpp"
#include "profiler/query/op_times.hpp"
#include "profiler/query/origins.hpp"
#include "profiler/query/runs.hpp"
#include "profiler/query/stage_costs.hpp"
#include "profiler/query/stage_graph.hpp"
#include "profiler/query/transfers.hpp"
#include "profiler/report/format.hpp"
#include "profiler/report/report.hpp"
#include "profiler/report/self_time.hpp"

namespace fusescope::report {

namespace {

/// Lines of source files, each file read and split once.
class Sources {
 public:
    explicit Sources(Database& database) : database_(database) {
        for (const query::Source& source : query::sources(database)) {
            paths_[source.id] = source.path;
            ids_[source.path] = source.id;
        }
    }

    Place place(std::int64_t source_id, std::int64_t line) {
        const auto path = paths_.find(source_id);
        if (path == paths_.end()) return {};
        return {path->second, line, text(source_id, line), ""};
    }
    Place place(const std::string& path, std::int64_t line) {
        const auto id = ids_.find(path);
        if (id != ids_.end()) return place(id->second, line);
        return {path, line, "", ""};
    }

 private:
    std::string text(std::int64_t source_id, std::int64_t line) {
        const auto [it, fresh] = lines_.try_emplace(source_id);
        if (fresh) {
            const std::string all = query::source_text(database_, source_id).value_or("");
            for (std::size_t at = 0; at < all.size();) {
                const std::size_t end = std::min(all.find('\n', at), all.size());
                it->second.push_back(trimmed(std::string_view(all).substr(at, end - at)));
                at = end + 1;
            }
        }
        return line >= 1 && static_cast<std::size_t>(line) <= it->second.size()
                   ? it->second[static_cast<std::size_t>(line) - 1]
                   : "";
    }

    Database& database_;
    std::unordered_map<std::int64_t, std::string> paths_;
    std::unordered_map<std::string, std::int64_t> ids_;
    std::unordered_map<std::int64_t, std::vector<std::string>> lines_;
};

std::uint64_t amount(std::int64_t value) { return static_cast<std::uint64_t>(std::max<std::int64_t>(0, value)); }

void collect_run(Database& database, Report& report) {
    report.profile = database.path();
    const std::vector<query::Run> runs = query::runs(database);
    const query::TimeRange span = query::time_span(database);
    report.wall.wall_ns = std::max<std::int64_t>(0, span.end_ns - span.begin_ns);
    if (runs.empty()) {
        report.status = "unknown";
        report.incomplete = true;
    } else {
        const query::Run& run = runs.front();
        report.script = run.script;
        report.arguments = run.arguments;
        report.mode = run.mode;
        report.device = run.device;
        report.status = run.status;
        report.incomplete = !run.complete();
        report.recording = report.incomplete && query::still_recording(database);
        report.started_unix_ns = run.started_unix_ns;
        report.exit_code = run.exit_code;
        const bool has_start = run.started_ns != 0 && run.started_ns <= span.begin_ns;
        if (run.ended_ns) {
            report.wall.wall_ns =
                std::max<std::int64_t>(0, *run.ended_ns - (has_start ? run.started_ns : span.begin_ns));
        } else if (has_start) {
            report.wall.wall_ns = std::max<std::int64_t>(0, span.end_ns - run.started_ns);
        }
        if (runs.size() > 1) {
            report.notes.emplace_back("runs", "the profile holds " + std::to_string(runs.size()) +
                                                  " runs; the head is that of the first, the sums are over all");
        }
    }
    for (const auto& [key, value] : query::meta(database)) {
        const bool tells_of_loss = key.find("dropped") != std::string::npos ||
                                   key.find("skipped") != std::string::npos || key.find("lost") != std::string::npos ||
                                   key.find("error") != std::string::npos;
        if (key == "recording_stopped") report.notes.emplace_back(key, value);
        if (tells_of_loss && value != "0" && !value.empty()) report.notes.emplace_back(key, value);
    }
}

/// Rows by key, with what the key means filled in by the caller at the end.
template <class Key>
class Groups {
 public:
    void add(const Key& key, const query::EventSpan& span, std::int64_t self_ns) {
        TimeRow& row = rows_[key];
        ++row.count;
        row.self_ns += self_ns;
        row.total_ns += span.duration_ns;
        row.longest_ns = std::max(row.longest_ns, span.duration_ns);
        row.bytes += amount(span.bytes);
        row.flops += amount(span.flops);
    }
    template <class Describe>
    std::vector<TimeRow> sorted(Describe&& describe) {
        std::vector<TimeRow> all;
        for (auto& [key, row] : rows_) {
            describe(key, row);
            all.push_back(std::move(row));
        }
        std::stable_sort(all.begin(), all.end(), [](const TimeRow& a, const TimeRow& b) {
            return std::tie(a.self_ns, a.total_ns) > std::tie(b.self_ns, b.total_ns);
        });
        return all;
    }

 private:
    std::map<Key, TimeRow> rows_;
};

void collect_times(Database& database, Sources& sources,
                   const std::map<std::int64_t, std::vector<std::string>>& members, Report& report) {
    std::vector<query::EventSpan> spans;
    std::vector<Interval> measured, modelled;
    std::vector<std::uint32_t> measured_of, modelled_of;  // interval → span; others follow in `measured`
    std::int64_t invalid = 0;
    const auto note_new = [](std::vector<std::string>& seen, const std::string& word) {
        if (std::find(seen.begin(), seen.end(), word) == seen.end()) seen.push_back(word);
    };
    query::for_each_event_span(database, [&](const query::EventSpan& span) {
        if (span.duration_ns < 0) {
            ++invalid;
            return;
        }
        // Host threads nest; streams of a real device run beside them.
        const auto lane = static_cast<std::uint32_t>(span.on_host ? span.thread : 0x10000 + span.stream);
        auto& list = span.clock == Clock::measured ? measured : modelled;
        auto& owner = span.clock == Clock::measured ? measured_of : modelled_of;
        list.push_back({span.start_ns, span.duration_ns, lane});
        owner.push_back(static_cast<std::uint32_t>(spans.size()));
        spans.push_back(span);
        report.steps = std::max(report.steps, span.step);
        note_new(report.modes_seen, span.mode);
        note_new(report.devices_seen, span.device);
    });
    if (invalid > 0) {
        report.notes.emplace_back("invalid times",
                                  std::to_string(invalid) + " ops with a negative duration are left out");
    }

    const std::uint32_t main_lane = measured.empty() ? 0 : measured.front().lane & 0xFFFF;
    const std::size_t ops = measured.size();
    std::int64_t last_id = 0;
    while (true) {
        const auto page = query::transfers(database, last_id, 10000);
        if (page.empty()) break;
        for (const query::Transfer& transfer : page) {
            last_id = transfer.id;
            if (transfer.clock == Clock::measured && transfer.duration_ns >= 0) {
                measured.push_back({transfer.start_ns, transfer.duration_ns, main_lane});
            }
        }
    }
    const std::size_t transfers_end = measured.size();
    for (const query::Graph& graph : query::graphs(database)) {
        if (graph.compile_ns > 0) measured.push_back({graph.compile_start_ns, graph.compile_ns, main_lane});
    }

    std::map<std::int64_t, std::string> kinds, scopes;
    for (const query::Kind& kind : query::op_kinds(database)) kinds[kind.id] = kind.name;
    for (const query::Scope& scope : query::scopes(database)) scopes[scope.id] = scope.path;
    std::map<std::int64_t, query::NodeTime> nodes;
    for (query::NodeTime& node : query::times_by_node(database)) nodes.emplace(node.node_id, std::move(node));

    const auto group = [&](ClockTimes& times, const std::vector<Interval>& intervals,
                           const std::vector<std::uint32_t>& owner) {
        const std::vector<std::int64_t> self = self_times(intervals);
        Groups<std::int64_t> by_kind, by_node, by_scope;
        Groups<std::string> by_phase;
        Groups<std::pair<std::int64_t, std::int64_t>> by_line;
        std::map<std::int64_t, std::pair<std::int64_t, std::int64_t>> node_line;
        for (std::size_t i = 0; i < owner.size(); ++i) {
            const query::EventSpan& span = spans[owner[i]];
            ++times.count;
            times.self_ns += self[i];
            by_kind.add(span.kind_id, span, self[i]);
            by_line.add({span.source_id, span.line}, span, self[i]);
            by_scope.add(span.scope_id, span, self[i]);
            by_phase.add(span.phase, span, self[i]);
            if (span.node_id != 0) {
                by_node.add(span.node_id, span, self[i]);
                node_line.try_emplace(span.node_id, span.source_id, span.line);
            }
        }
        times.ops = by_kind.sorted([&](std::int64_t id, TimeRow& row) { row.name = kinds[id]; });
        times.lines =
            by_line.sorted([&](const auto& at, TimeRow& row) { row.place = sources.place(at.first, at.second); });
        times.scopes = by_scope.sorted([&](std::int64_t id, TimeRow& row) { row.name = scopes[id]; });
        times.phases = by_phase.sorted([&](const std::string& phase, TimeRow& row) { row.name = phase; });
        times.kernels = by_node.sorted([&](std::int64_t id, TimeRow& row) {
            const auto node = nodes.find(id);
            if (node != nodes.end()) {
                row.name = node->second.name;
                row.graph = node->second.graph;
                if (node->second.op != row.name) row.members = {node->second.op};
            }
            const auto made_of = members.find(id);
            if (made_of != members.end()) row.members = made_of->second;
            const auto [source, line] = node_line[id];
            row.place = sources.place(source, line);
        });
        return self;
    };
    const std::vector<std::int64_t> self = group(report.times[0], measured, measured_of);
    group(report.times[1], modelled, modelled_of);
    for (std::size_t i = 0; i < self.size(); ++i) {
        (i < ops             ? report.wall.ops_ns
         : i < transfers_end ? report.wall.transfers_ns
                             : report.wall.compile_ns) += self[i];
    }
    report.wall.rest_ns = std::max<std::int64_t>(
        0, report.wall.wall_ns - report.wall.ops_ns - report.wall.transfers_ns - report.wall.compile_ns);
}

/// Also fills `members`: for each fused node of a final graph the captured ops it does the work of.
void collect_graphs(Database& database, Sources& sources, std::map<std::int64_t, std::vector<std::string>>& members,
                    Report& report) {
    for (const query::Graph& graph : query::graphs(database)) {
        GraphRow row;
        row.id = graph.id;
        row.name = graph.name;
        row.signature = graph.signature;
        row.place = sources.place(graph.path, graph.line);
        row.compile_ns = graph.compile_ns;
        report.compile_ns += std::max<std::int64_t>(0, graph.compile_ns);
        std::map<std::int64_t, query::StageCost> costs;
        for (const query::StageCost& cost : query::stage_costs(database, graph.id)) costs[cost.ordinal] = cost;
        for (const query::Stage& stage : query::stages(database, graph.id)) {
            row.stages.push_back({stage.ordinal, stage.pass, stage.duration_ns, stage.changed, costs[stage.ordinal].ops,
                                  stage.rewrites, stage.note});
            if (stage.peak_bytes) row.planned_peak_bytes = stage.peak_bytes;
        }
        if (!row.stages.empty()) {
            const query::StageCost& first = costs[row.stages.front().ordinal];
            const query::StageCost& last = costs[row.stages.back().ordinal];
            row.nodes_before = first.ops;
            row.nodes_after = last.ops;
            row.bytes_before = amount(first.bytes);
            row.bytes_after = amount(last.bytes);
        }
        for (const query::Fusion& fusion : query::fusions(database, graph.id)) {
            KernelRow kernel{fusion.name, fusion.op, {}};
            for (const std::int64_t id : fusion.members) {
                if (const auto node = query::node(database, id)) {
                    kernel.members.push_back({node->op, sources.place(node->path, node->line)});
                }
            }
            members[fusion.node_id] = fusion.member_ops;
            row.kernels.push_back(std::move(kernel));
        }
        report.graphs.push_back(std::move(row));
    }
}

void collect_transfers(Database& database, Sources& sources, Report& report) {
    for (const query::TransferSum& sum : query::transfer_sums(database)) {
        report.transfers.push_back({sum.kind, sum.reason, sum.clock, sum.count, amount(sum.bytes), sum.duration_ns});
    }
    for (const query::TransferLine& sum : query::transfers_by_line(database)) {
        report.transfer_lines.push_back({sources.place(sum.path, sum.line), sum.kind, sum.reason, sum.clock, sum.count,
                                         amount(sum.bytes), sum.duration_ns});
    }
}

void collect_breaks(Database& database, Sources& sources, Report& report) {
    std::map<std::int64_t, std::string> names;
    for (const GraphRow& graph : report.graphs) names[graph.id] = graph.name;
    std::map<std::tuple<std::string, std::int64_t, std::string, std::string>, std::size_t> seen;
    for (const query::GraphBreak& each : query::graph_breaks(database)) {
        const std::string graph = names[each.graph_id];
        const auto [it, fresh] = seen.try_emplace({each.path, each.line, graph, each.reason}, report.breaks.size());
        if (fresh) {
            report.breaks.push_back({graph, each.reason, sources.place(each.path, each.line), 0});
            report.breaks.back().place.function = each.function;
        }
        ++report.breaks[it->second].count;
    }
    std::stable_sort(report.breaks.begin(), report.breaks.end(),
                     [](const BreakRow& a, const BreakRow& b) { return a.count > b.count; });
}

int rank_of(const std::string& severity) { return severity == "error" ? 0 : severity == "warning" ? 1 : 2; }

void collect_findings(Database& database, Sources& sources, Report& report) {
    using Key = std::tuple<std::string, std::string, std::string, std::int64_t, std::string, std::string, std::string>;
    std::map<Key, std::size_t> seen;
    for (const query::FindingInfo& info : query::findings(database)) {
        const query::FindingDetail detail = query::parse_finding_detail(info.detail);
        const std::string& path = info.path.empty() ? detail.file : info.path;
        const std::int64_t line = info.path.empty() ? detail.line : info.line;
        const Key key{info.kind, info.severity, path, line, detail.op, detail.rule, detail.phase};
        const auto [it, fresh] = seen.try_emplace(key, report.findings.size());
        if (!fresh) {
            ++report.findings[it->second].count;
            continue;
        }
        FindingRow row;
        row.kind = info.kind;
        row.severity = info.severity;
        row.op = detail.op;
        row.message = info.message;
        row.advice = detail.advice;
        row.phase = detail.phase;
        row.rule = detail.rule;
        row.place = sources.place(path, line);
        row.step = detail.step;
        row.root_op = detail.root_op;
        row.root_file = detail.root_file;
        row.root_line = detail.root_line;
        report.findings.push_back(std::move(row));
    }
    // Of equal severity the first in time leads: what comes later is often its consequence.
    std::stable_sort(report.findings.begin(), report.findings.end(), [](const FindingRow& a, const FindingRow& b) {
        return rank_of(a.severity) < rank_of(b.severity);
    });
    for (const FindingRow& row : report.findings) {
        if (row.kind == "recompile") report.recompiles.push_back(row);
    }
}

void collect_memory(Database& database, Sources& sources, Report& report) {
    const query::TimeRange span = query::time_span(database);
    const std::vector<query::Run> runs = query::runs(database);
    const std::int64_t zero = !runs.empty() && runs.front().started_ns != 0 ? runs.front().started_ns : span.begin_ns;
    for (const query::MemorySeries& series : query::memory_series(database)) {
        MemoryRow row;
        row.device = series.device;
        row.peak_bytes = series.peak_bytes;
        row.peak_ns = series.peak_ns - zero;
        row.end_bytes = series.last_bytes;
        const auto peak =
            std::find_if(series.points.begin(), series.points.end(), [&](const query::MemoryPoint& point) {
                return point.total_bytes == series.peak_bytes && point.time_ns == series.peak_ns;
            });
        if (peak != series.points.end() && peak->op_event_id != 0) {
            if (const auto event = query::op_event(database, peak->op_event_id)) {
                row.op = event->name;
                row.place = sources.place(event->path, event->line);
            }
        }
        report.memory.push_back(std::move(row));
    }
}

}  // namespace

Report collect(Database& database) {
    Report report;
    Sources sources(database);
    collect_run(database, report);
    std::map<std::int64_t, std::vector<std::string>> members;
    collect_graphs(database, sources, members, report);
    collect_times(database, sources, members, report);
    collect_transfers(database, sources, report);
    collect_breaks(database, sources, report);
    collect_findings(database, sources, report);
    collect_memory(database, sources, report);
    return report;
}

}  // namespace fusescope::report
