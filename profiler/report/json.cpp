// The report as JSON. Its keys are a promise to scripts: resources/help/report.md lists them, and a test compares.
#include <nlohmann/json.hpp>

#include "profiler/report/report.hpp"

namespace fusescope::report {

namespace {

using Json = nlohmann::ordered_json;

void put_place(Json& json, const Place& place) {
    json["file"] = place.file.empty() ? Json() : Json(place.file);
    json["line"] = place.file.empty() ? Json() : Json(place.line);
}

Json rows_json(const std::vector<TimeRow>& rows, bool with_place) {
    Json all = Json::array();
    for (const TimeRow& row : rows) {
        Json json;
        if (!row.name.empty() || !with_place) json["name"] = row.name;
        if (with_place) {
            put_place(json, row.place);
            json["source"] = row.place.source;
        }
        if (!row.graph.empty()) json["graph"] = row.graph;
        if (!row.members.empty()) json["members"] = row.members;
        json["count"] = row.count;
        json["self_ns"] = row.self_ns;
        json["total_ns"] = row.total_ns;
        json["longest_ns"] = row.longest_ns;
        json["bytes"] = row.bytes;
        json["flops"] = row.flops;
        all.push_back(std::move(json));
    }
    return all;
}

Json times_json(const ClockTimes& times) {
    return {{"count", times.count},
            {"self_ns", times.self_ns},
            {"ops", rows_json(times.ops, false)},
            {"lines", rows_json(times.lines, true)},
            {"kernels", rows_json(times.kernels, true)},
            {"scopes", rows_json(times.scopes, false)},
            {"phases", rows_json(times.phases, false)}};
}

Json graph_json(const GraphRow& graph) {
    Json json{{"id", graph.id}, {"name", graph.name}, {"signature", graph.signature}};
    put_place(json, graph.place);
    json["compile_ns"] = graph.compile_ns;
    json["nodes_before"] = graph.nodes_before;
    json["nodes_after"] = graph.nodes_after;
    json["bytes_before"] = graph.bytes_before;
    json["bytes_after"] = graph.bytes_after;
    json["bytes_saved"] = static_cast<std::int64_t>(graph.bytes_before) - static_cast<std::int64_t>(graph.bytes_after);
    json["planned_peak_bytes"] = graph.planned_peak_bytes ? Json(*graph.planned_peak_bytes) : Json();
    json["stages"] = Json::array();
    for (const StageRow& stage : graph.stages) {
        json["stages"].push_back({{"ordinal", stage.ordinal},
                                  {"pass", stage.pass},
                                  {"changed", stage.changed},
                                  {"nodes", stage.nodes},
                                  {"rewrites", stage.rewrites},
                                  {"duration_ns", stage.duration_ns},
                                  {"note", stage.note}});
    }
    json["kernels"] = Json::array();
    for (const KernelRow& kernel : graph.kernels) {
        Json members = Json::array();
        for (const Member& member : kernel.members) {
            Json entry{{"op", member.op}};
            put_place(entry, member.place);
            members.push_back(std::move(entry));
        }
        json["kernels"].push_back({{"name", kernel.name}, {"op", kernel.op}, {"members", std::move(members)}});
    }
    return json;
}

Json finding_json(const FindingRow& finding) {
    Json json{{"kind", finding.kind}, {"severity", finding.severity}, {"op", finding.op}};
    put_place(json, finding.place);
    json["phase"] = finding.phase;
    json["rule"] = finding.rule;
    json["message"] = finding.message;
    json["advice"] = finding.advice;
    json["step"] = finding.step ? Json(*finding.step) : Json();
    json["count"] = finding.count;
    json["root"] = finding.root_op.empty()
                       ? Json()
                       : Json{{"op", finding.root_op}, {"file", finding.root_file}, {"line", finding.root_line}};
    return json;
}

}  // namespace

std::string to_json(const Report& report) {
    Json json;
    json["format"] = "fusescope-report";
    json["version"] = 1;
    json["profile"] = report.profile;
    json["run"] = {{"script", report.script},
                   {"arguments", report.arguments},
                   {"mode", report.mode},
                   {"device", report.device},
                   {"modes_seen", report.modes_seen},
                   {"devices_seen", report.devices_seen},
                   {"status", report.status},
                   {"incomplete", report.incomplete},
                   {"exit_code", report.exit_code ? Json(*report.exit_code) : Json()},
                   {"started_unix_ns", report.started_unix_ns},
                   {"wall_ns", report.wall.wall_ns},
                   {"steps", report.steps}};
    json["wall"] = {{"ops_ns", report.wall.ops_ns},
                    {"transfers_ns", report.wall.transfers_ns},
                    {"compile_ns", report.wall.compile_ns},
                    {"rest_ns", report.wall.rest_ns}};
    json["time"] = {{"measured", times_json(report.times[0])}, {"modelled", times_json(report.times[1])}};
    json["compile_ns"] = report.compile_ns;
    json["graphs"] = Json::array();
    for (const GraphRow& graph : report.graphs) json["graphs"].push_back(graph_json(graph));
    json["transfers"] = Json::array();
    for (const TransferRow& row : report.transfers) {
        json["transfers"].push_back({{"reason", row.reason},
                                     {"kind", row.kind},
                                     {"clock", name_of(row.clock)},
                                     {"count", row.count},
                                     {"bytes", row.bytes},
                                     {"duration_ns", row.duration_ns}});
    }
    json["transfer_lines"] = Json::array();
    for (const TransferLine& row : report.transfer_lines) {
        Json entry;
        put_place(entry, row.place);
        entry["source"] = row.place.source;
        entry["reason"] = row.reason;
        entry["kind"] = row.kind;
        entry["clock"] = name_of(row.clock);
        entry["count"] = row.count;
        entry["bytes"] = row.bytes;
        entry["duration_ns"] = row.duration_ns;
        json["transfer_lines"].push_back(std::move(entry));
    }
    json["graph_breaks"] = Json::array();
    for (const BreakRow& row : report.breaks) {
        Json entry;
        put_place(entry, row.place);
        entry["graph"] = row.graph;
        entry["reason"] = row.reason;
        entry["count"] = row.count;
        json["graph_breaks"].push_back(std::move(entry));
    }
    json["recompilations"] = Json::array();
    for (const FindingRow& row : report.recompiles) json["recompilations"].push_back(finding_json(row));
    json["findings"] = Json::array();
    for (const FindingRow& row : report.findings) json["findings"].push_back(finding_json(row));
    json["memory"] = Json::array();
    for (const MemoryRow& row : report.memory) {
        Json entry{{"device", row.device}, {"peak_bytes", row.peak_bytes}, {"peak_ns", row.peak_ns}};
        entry["op"] = row.op.empty() ? Json() : Json(row.op);
        put_place(entry, row.place);
        entry["end_bytes"] = row.end_bytes;
        json["memory"].push_back(std::move(entry));
    }
    json["notes"] = Json::object();
    for (const auto& [key, value] : report.notes) json["notes"][key] = value;
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace fusescope::report
