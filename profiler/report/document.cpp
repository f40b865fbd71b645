// From the collected answers to sections with tables: what to say first, and how much of it.
#include <algorithm>

#include "profiler/report/format.hpp"
#include "profiler/report/report.hpp"

namespace fusescope::report {

namespace {

constexpr std::size_t kFewGraphs = 3;       // of those that nothing happened to: more are summed up
constexpr std::size_t kDetailedGraphs = 5;  // whose kernels and passes are shown

double share(std::int64_t part, std::int64_t whole) {
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

std::string join(const std::vector<std::string>& words, const char* separator) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : separator) + word;
    return text;
}

std::string plural(std::int64_t count, const std::string& one, const std::string& many) {
    return format_count(static_cast<std::uint64_t>(count)) + " " + (count == 1 ? one : many);
}

/// "Add ×2, ReLU" for a list of ops in order of first appearance.
std::string tally(const std::vector<std::string>& names) {
    std::vector<std::pair<std::string, int>> counts;
    for (const std::string& name : names) {
        const auto it = std::find_if(counts.begin(), counts.end(), [&](const auto& c) { return c.first == name; });
        if (it == counts.end()) {
            counts.emplace_back(name, 1);
        } else {
            ++it->second;
        }
    }
    std::string text;
    for (const auto& [name, count] : counts) {
        text += (text.empty() ? "" : ", ") + name + (count > 1 ? " ×" + std::to_string(count) : "");
    }
    return text;
}

/// "train.py:12, 14, 15": each file once, lines in order.
std::string lines_of(const std::vector<Member>& members) {
    std::vector<std::pair<std::string, std::int64_t>> places;
    for (const Member& member : members) {
        if (!member.place.file.empty()) places.emplace_back(base_name(member.place.file), member.place.line);
    }
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    std::string text, file;
    for (const auto& [name, line] : places) {
        if (name != file) {
            text += (text.empty() ? "" : "; ") + name + ":" + std::to_string(line);
            file = name;
        } else {
            text += ", " + std::to_string(line);
        }
    }
    return text;
}

std::string status_text(const Report& report) {
    if (report.recording) return "still being recorded";
    if (report.incomplete) return "incomplete: the run was cut short (" + report.status + ")";
    std::string text = report.status;
    if (report.exit_code && *report.exit_code != 0) text += ", exit status " + std::to_string(*report.exit_code);
    return text;
}

/// "eager and graph, as the script has it": what was asked for and what it came to.
std::string ran_as(const std::string& asked, const std::vector<std::string>& seen, const std::string& option) {
    const bool by_script = asked == "script" || asked.empty();
    const std::string source = by_script ? "as the script has it" : "by " + option + " " + asked;
    if (seen.empty()) return source;
    if (seen.size() == 1 && seen[0] == asked) return asked;
    return join(seen, " and ") + ", " + source;
}

/// What went wrong with the recording itself, in words where there are some.
std::string note_text(const std::string& key, const std::string& value) {
    if (key == "recording_stopped") return value;
    if (key == "dropped_events") return value + " events were left out: the writer could not keep up with the program";
    if (key == "values_skipped") return value + " tensor values were left out: --values-budget was used up";
    return key + ": " + value;
}

/// The traffic and the graph breaks in one line each, when there are any.
void add_causes(const Report& report, Document& document) {
    std::uint64_t bytes = 0;
    std::int64_t copies = 0;
    for (const TransferRow& row : report.transfers) {
        bytes += row.bytes;
        copies += row.count;
    }
    if (copies > 0) {
        std::string text = plural(copies, "copy", "copies") + " between host and device, " + format_bytes(bytes);
        if (!report.transfer_lines.empty()) {
            const auto most = std::max_element(
                report.transfer_lines.begin(), report.transfer_lines.end(),
                [](const TransferLine& a, const TransferLine& b) { return a.duration_ns < b.duration_ns; });
            text += "; most time at " + place_text(most->place) + " (" + most->reason + ")";
        }
        document.facts.emplace_back("Copies", text);
    }
    std::int64_t breaks = 0;
    for (const BreakRow& row : report.breaks) breaks += row.count;
    if (breaks > 0) {
        document.facts.emplace_back("Graph breaks", format_count(static_cast<std::uint64_t>(breaks)) + "; most at " +
                                                        place_text(report.breaks.front().place) + " (" +
                                                        report.breaks.front().reason + ")");
    }
}

void add_facts(const Report& report, Document& document) {
    auto& facts = document.facts;
    std::string command = report.script;
    for (const std::string& argument : report.arguments) command += " " + argument;
    facts.emplace_back("Script", command);
    facts.emplace_back("Mode", ran_as(report.mode, report.modes_seen, "--mode"));
    facts.emplace_back("Device", ran_as(report.device, report.devices_seen, "--device"));
    facts.emplace_back("Status", status_text(report));
    if (report.started_unix_ns > 0) facts.emplace_back("Started", format_unix_time(report.started_unix_ns));
    const WallSplit& wall = report.wall;
    facts.emplace_back("Wall time",
                       format_duration(wall.wall_ns) + (report.incomplete ? " until the last thing recorded" : ""));
    for (const ClockTimes& times : report.times) {
        if (times.count == 0) continue;
        const bool measured = times.clock == Clock::measured;
        std::string text = plural(times.count, "execution", "executions") + ", " + format_duration(times.self_ns);
        if (measured && wall.wall_ns > 0) {
            text += " (" + format_percent(static_cast<double>(times.self_ns), static_cast<double>(wall.wall_ns)) +
                    " of the wall time)";
        }
        facts.emplace_back(measured ? "Ops, measured" : "Ops, modelled",
                           text + (measured ? "" : ", from a cost model"));
        if (!times.ops.empty()) {
            const TimeRow& top = times.ops.front();
            facts.emplace_back(
                measured ? "Slowest op" : "Slowest, modelled",
                top.name + ", " + format_duration(top.self_ns) + ", " +
                    format_percent(static_cast<double>(top.self_ns), static_cast<double>(times.self_ns)) +
                    " of op time");
        }
    }
    if (!report.graphs.empty()) {
        std::int64_t before = 0, after = 0;
        std::uint64_t bytes_before = 0, bytes_after = 0;
        for (const GraphRow& graph : report.graphs) {
            before += graph.nodes_before;
            after += graph.nodes_after;
            bytes_before += graph.bytes_before;
            bytes_after += graph.bytes_after;
        }
        std::string text = plural(static_cast<std::int64_t>(report.graphs.size()), "graph", "graphs") + ", " +
                           plural(before, "op", "ops") + " became " + format_count(static_cast<std::uint64_t>(after));
        if (bytes_after < bytes_before) {
            text += ", " + format_bytes(bytes_before - bytes_after) + " less memory traffic a run";
        }
        facts.emplace_back("Fusion", text);
    }
    add_causes(report, document);
    for (const MemoryRow& memory : report.memory) {
        facts.emplace_back("Memory peak, " + memory.device,
                           format_bytes(static_cast<std::uint64_t>(std::max<std::int64_t>(0, memory.peak_bytes))));
    }
    std::int64_t errors = 0, warnings = 0;
    for (const FindingRow& finding : report.findings) {
        errors += finding.severity == "error" ? finding.count : 0;
        warnings += finding.severity == "warning" ? finding.count : 0;
    }
    facts.emplace_back("Findings", report.findings.empty() ? "none"
                                                           : plural(errors, "error", "errors") + ", " +
                                                                 plural(warnings, "warning", "warnings"));
    for (const auto& [key, value] : report.notes) facts.emplace_back("Note", note_text(key, value));
}

/// At least one line. Messages draw shapes below each other.
std::vector<std::string> lines_in(const std::string& text) {
    std::vector<std::string> lines(1);
    for (const char c : text) {
        if (c == '\n') {
            lines.emplace_back();
        } else {
            lines.back() += c;
        }
    }
    return lines;
}

void add_findings(const Report& report, Document& document) {
    Section section{"findings", "Findings", "", {}, "None."};
    section.table.columns = {{"severity"}, {"kind"}, {"op"}, {"line", false, true}, {"what", false, false, 200}};
    for (const FindingRow& finding : report.findings) {
        std::string op = finding.op;
        if (!finding.phase.empty() && finding.phase != "forward") op += " (" + finding.phase + ")";
        std::vector<std::string> message = lines_in(finding.message.empty() ? finding.rule : finding.message);
        if (finding.count > 1) message[0] += " (" + std::to_string(finding.count) + " times)";
        section.table.rows.push_back({finding.severity, finding.kind, op, place_text(finding.place), message[0]});
        const auto add_more = [&](const std::string& text) { section.table.rows.push_back({"", "", "", "", text}); };
        for (std::size_t i = 1; i < message.size(); ++i) {
            if (message[i] != finding.advice) add_more(message[i]);
        }
        if (!finding.root_op.empty() && (finding.root_op != finding.op || finding.root_line != finding.place.line)) {
            Place root;
            root.file = finding.root_file;
            root.line = finding.root_line;
            add_more("cause: " + finding.root_op + (root.line > 0 ? " at " + place_text(root) : ""));
        }
        if (!finding.advice.empty()) add_more("try: " + finding.advice);
    }
    document.sections.push_back(std::move(section));
}

void add_wall(const Report& report, Document& document) {
    const WallSplit& wall = report.wall;
    if (wall.wall_ns <= 0) return;
    Section section{
        "wall", "The wall time", "Measured. Each moment is counted once, for the innermost thing that ran.", {}, ""};
    section.table.columns = {{"part"}, {"time", true}, {"of wall", true}};
    const bool modelled = report.times[1].count > 0;
    const auto add = [&](const char* name, std::int64_t ns) {
        section.table.rows.push_back({Cell(name, share(ns, wall.wall_ns)), format_duration(ns),
                                      format_percent(static_cast<double>(ns), static_cast<double>(wall.wall_ns))});
    };
    add("ops", wall.ops_ns);
    add("copies between host and device", wall.transfers_ns);
    add("compiling graphs", wall.compile_ns);
    add(modelled ? "the rest: Python, and computing for the modelled device" : "the rest: Python, imports, waiting",
        wall.rest_ns);
    section.table.columns[0].max_width = 60;
    document.sections.push_back(std::move(section));
}

enum class By { op, line, kernel, scope, phase };

Section time_section(const ClockTimes& times, const std::vector<TimeRow>& rows, By by, const std::string& id,
                     const std::string& title) {
    Section section{id, title, "", {}, ""};
    section.level = 2;
    section.modelled = times.clock == Clock::modelled;
    auto& columns = section.table.columns;
    columns.push_back(by == By::line ? Column{"line", false, true}
                                     : Column{by == By::op       ? "op"
                                              : by == By::kernel ? "kernel"
                                              : by == By::scope  ? "Cell"
                                                                 : "phase"});
    columns.push_back({section.modelled ? "modelled" : "self", true});
    columns.push_back({"share", true});
    columns.push_back({"count", true});
    columns.push_back({"mean", true});
    columns.push_back({"longest", true});
    columns.push_back({"bytes/s", true});
    columns.push_back({"FLOP/s", true});
    if (by == By::line) columns.push_back({"source", false, false, 56});
    if (by == By::kernel) {
        columns.push_back({"made of", false, false, 48});
        columns.push_back({"line", false, true, 28});
    }
    for (const TimeRow& row : rows) {
        const std::string name = by == By::line ? place_text(row.place) : row.name.empty() ? "(none)" : row.name;
        std::vector<Cell> cells;
        cells.emplace_back(name, share(row.self_ns, times.self_ns));
        cells.emplace_back(format_duration(row.self_ns));
        cells.emplace_back(format_percent(static_cast<double>(row.self_ns), static_cast<double>(times.self_ns)));
        cells.emplace_back(format_count(static_cast<std::uint64_t>(row.count)));
        cells.emplace_back(format_duration(row.count > 0 ? row.total_ns / row.count : 0));
        cells.emplace_back(format_duration(row.longest_ns));
        cells.emplace_back(format_bandwidth(row.bytes, row.total_ns));
        cells.emplace_back(row.total_ns > 0 && row.flops > 0
                               ? format_flops(static_cast<std::uint64_t>(static_cast<double>(row.flops) * 1e9 /
                                                                         static_cast<double>(row.total_ns)))
                               : "-");
        if (by == By::line) cells.emplace_back(row.place.source);
        if (by == By::kernel) {
            cells.emplace_back(tally(row.members));
            cells.emplace_back(place_text(row.place));
        }
        section.table.rows.push_back(std::move(cells));
    }
    return section;
}

void add_times(const Report& report, Document& document) {
    for (const ClockTimes& times : report.times) {
        const bool modelled = times.clock == Clock::modelled;
        if (times.count == 0 && (modelled || report.times[1].count > 0)) continue;
        const std::string word = name_of(times.clock), suffix = modelled ? " (modelled)" : "";
        Section head{"time-" + word,
                     std::string("Where the time went, ") + word,
                     modelled ? "Device time from the cost model of the modelled device, not measured."
                              : "Self time: without the ops that ran inside.",
                     {},
                     "",
                     {},
                     "",
                     modelled};
        if (times.count == 0) head.lines.push_back("No op ran.");
        document.sections.push_back(std::move(head));
        if (times.count == 0) continue;
        document.sections.push_back(time_section(times, times.ops, By::op, "ops-" + word, "By op" + suffix));
        document.sections.push_back(time_section(times, times.lines, By::line, "lines-" + word, "By line" + suffix));
        if (!times.kernels.empty()) {
            document.sections.push_back(
                time_section(times, times.kernels, By::kernel, "kernels-" + word, "By kernel of a graph" + suffix));
        }
        if (times.scopes.size() > 1 || (times.scopes.size() == 1 && !times.scopes[0].name.empty())) {
            document.sections.push_back(
                time_section(times, times.scopes, By::scope, "scopes-" + word, "By Cell" + suffix));
        }
        if (times.phases.size() > 1) {
            document.sections.push_back(
                time_section(times, times.phases, By::phase, "phases-" + word, "By phase" + suffix));
        }
    }
}

void add_graphs(const Report& report, Document& document) {
    Section section{"graphs", "What fused", "", {}, "No graph was compiled: every op ran on its own."};
    section.table.columns = {{"graph"},       {"compiled at", false, true}, {"ops before", true},
                             {"after", true}, {"traffic before", true},     {"after", true},
                             {"saved", true}, {"compile time", true}};
    // Graphs in which something happened first; a program in graph mode has many of one op.
    std::vector<const GraphRow*> graphs, unchanged_graphs;
    std::int64_t unchanged_ns = 0, unchanged_ops = 0;
    for (const GraphRow& graph : report.graphs) {
        const bool changed = graph.nodes_before != graph.nodes_after || !graph.kernels.empty();
        (changed ? graphs : unchanged_graphs).push_back(&graph);
        unchanged_ns += changed ? 0 : graph.compile_ns;
        unchanged_ops += changed ? 0 : graph.nodes_after;
    }
    std::stable_sort(graphs.begin(), graphs.end(),
                     [](const GraphRow* a, const GraphRow* b) { return a->nodes_before > b->nodes_before; });
    if (unchanged_graphs.size() <= kFewGraphs) {
        graphs.insert(graphs.end(), unchanged_graphs.begin(), unchanged_graphs.end());
    } else {
        section.lines.push_back("… and " +
                                plural(static_cast<std::int64_t>(unchanged_graphs.size()), "graph", "graphs") +
                                " in which nothing could be fused: " + plural(unchanged_ops, "op", "ops") +
                                ", compiled in " + format_duration(unchanged_ns));
    }
    for (const GraphRow* each : graphs) {
        const GraphRow& graph = *each;
        const auto saved = static_cast<std::int64_t>(graph.bytes_before) - static_cast<std::int64_t>(graph.bytes_after);
        section.table.rows.push_back(
            {std::to_string(graph.id) + " " + graph.name, place_text(graph.place),
             format_count(static_cast<std::uint64_t>(graph.nodes_before)),
             format_count(static_cast<std::uint64_t>(graph.nodes_after)), format_bytes(graph.bytes_before),
             format_bytes(graph.bytes_after),
             saved >= 0 ? format_bytes(graph.bytes_before - graph.bytes_after) : format_signed_bytes(saved),
             format_duration(graph.compile_ns)});
    }
    if (!report.graphs.empty()) {
        section.note = "Traffic is the memory read and written by one run of the graph, by the shapes of its ops.";
    }
    document.sections.push_back(std::move(section));
    if (graphs.size() > kDetailedGraphs) graphs.resize(kDetailedGraphs);
    for (const GraphRow* each : graphs) {
        const GraphRow& graph = *each;
        if (report.graphs.size() > 1 && graph.nodes_before == graph.nodes_after && graph.kernels.empty()) continue;
        const std::string name = "graph " + std::to_string(graph.id) + " " + graph.name;
        if (!graph.kernels.empty()) {
            Section kernels{"kernels-of-" + std::to_string(graph.id), "Kernels of " + name, graph.signature, {}, ""};
            kernels.level = 2;
            kernels.table.columns = {
                {"kernel"}, {"ops", true}, {"made of", false, false, 64}, {"lines", false, false, 44}};
            for (const KernelRow& kernel : graph.kernels) {
                std::vector<std::string> names;
                for (const Member& member : kernel.members) names.push_back(member.op);
                kernels.table.rows.push_back(
                    {kernel.name, std::to_string(kernel.members.size()), tally(names), lines_of(kernel.members)});
            }
            document.sections.push_back(std::move(kernels));
        }
        Section stages{"stages-of-" + std::to_string(graph.id), "Passes of " + name, "", {}, ""};
        stages.level = 2;
        stages.table.columns = {
            {"pass"}, {"ops", true}, {"rewrites", true}, {"time", true}, {"note", false, false, 72}};
        std::vector<std::string> unchanged;
        for (const StageRow& stage : graph.stages) {
            if (!stage.changed && stage.ordinal > 0) {
                unchanged.push_back(stage.pass);
                continue;
            }
            stages.table.rows.push_back({stage.pass, std::to_string(stage.nodes), std::to_string(stage.rewrites),
                                         format_duration(stage.duration_ns), stage.note});
        }
        if (!unchanged.empty()) stages.lines.push_back("changed nothing: " + join(unchanged, ", "));
        if (graph.planned_peak_bytes) {
            stages.lines.push_back("memory plan: peak " + format_bytes(static_cast<std::uint64_t>(
                                                              std::max<std::int64_t>(0, *graph.planned_peak_bytes))));
        }
        document.sections.push_back(std::move(stages));
    }
}

void add_transfers(const Report& report, Document& document) {
    Section section{
        "transfers", "Host and device traffic, by cause", "", {}, "Nothing was copied between host and device."};
    section.table.columns = {{"cause"},      {"direction"},  {"copies", true}, {"bytes", true},
                             {"time", true}, {"rate", true}, {"clock"}};
    for (const TransferRow& row : report.transfers) {
        section.table.rows.push_back({row.reason, row.kind, format_count(static_cast<std::uint64_t>(row.count)),
                                      format_bytes(row.bytes), format_duration(row.duration_ns),
                                      format_bandwidth(row.bytes, row.duration_ns), name_of(row.clock)});
    }
    document.sections.push_back(std::move(section));
    if (report.transfer_lines.empty()) return;
    Section lines{"transfer-lines", "By line", "", {}, ""};
    lines.level = 2;
    lines.table.columns = {{"line", false, true}, {"cause"},      {"direction"}, {"copies", true},
                           {"bytes", true},       {"time", true}, {"clock"},     {"source", false, false, 56}};
    for (const TransferLine& row : report.transfer_lines) {
        lines.table.rows.push_back({place_text(row.place), row.reason, row.kind,
                                    format_count(static_cast<std::uint64_t>(row.count)), format_bytes(row.bytes),
                                    format_duration(row.duration_ns), name_of(row.clock), row.place.source});
    }
    document.sections.push_back(std::move(lines));
}

void add_breaks(const Report& report, Document& document) {
    Section section{"breaks", "Graph breaks", "", {}, "None."};
    section.table.columns = {
        {"line", false, true}, {"times", true}, {"graph"}, {"reason", false, false, 72}, {"source", false, false, 56}};
    for (const BreakRow& row : report.breaks) {
        section.table.rows.push_back(
            {place_text(row.place), std::to_string(row.count), row.graph, row.reason, row.place.source});
    }
    document.sections.push_back(std::move(section));
    Section recompiles{"recompiles", "Recompilations", "", {}, "None."};
    recompiles.table.columns = {{"line", false, true}, {"times", true}, {"why", false, false, 96}};
    for (const FindingRow& row : report.recompiles) {
        recompiles.table.rows.push_back({place_text(row.place), std::to_string(row.count), row.message});
    }
    document.sections.push_back(std::move(recompiles));
}

void add_memory(const Report& report, Document& document) {
    if (report.memory.empty()) return;
    Section section{"memory", "Memory", "Live bytes of the allocator.", {}, ""};
    section.table.columns = {{"device"},         {"peak", true},        {"at", true},
                             {"op at the peak"}, {"line", false, true}, {"at the end", true}};
    for (const MemoryRow& row : report.memory) {
        section.table.rows.push_back(
            {row.device, format_bytes(static_cast<std::uint64_t>(std::max<std::int64_t>(0, row.peak_bytes))),
             row.peak_ns < 0 ? "-" : format_duration(row.peak_ns), row.op.empty() ? "-" : row.op, place_text(row.place),
             format_bytes(static_cast<std::uint64_t>(std::max<std::int64_t>(0, row.end_bytes)))});
    }
    document.sections.push_back(std::move(section));
}

}  // namespace

std::string place_text(const Place& place) {
    return place.file.empty() ? "?" : base_name(place.file) + ":" + std::to_string(place.line);
}

Document to_document(const Report& report) {
    Document document;
    document.title = "fusescope report: " + base_name(report.script);
    document.subtitle = report.profile;
    add_facts(report, document);
    add_findings(report, document);
    add_wall(report, document);
    add_times(report, document);
    add_graphs(report, document);
    add_transfers(report, document);
    add_breaks(report, document);
    add_memory(report, document);
    return document;
}

}  // namespace fusescope::report
