// The comparison as a document and as JSON.
#include <nlohmann/json.hpp>

#include "profiler/report/compare.hpp"
#include "profiler/report/format.hpp"

namespace fusescope::report {

namespace {

using Json = nlohmann::ordered_json;

std::string change_text(const Delta& delta, bool bytes) {
    if (bytes) return format_signed_bytes(delta.change());
    return (delta.change() > 0 ? "+" : "") + format_duration(delta.change());
}

std::string percent_text(const Delta& delta) {
    if (delta.base_count == 0 && delta.new_count > 0) return "new";
    if (delta.new_count == 0 && delta.base_count > 0) return "gone";
    const auto percent = delta.percent();
    return percent ? (*percent > 0 ? "+" : "") + fixed(*percent, 1) + " %" : "-";
}

std::string value_text(std::int64_t value, std::int64_t count, bool bytes) {
    if (count == 0) return "-";
    return bytes ? format_bytes(static_cast<std::uint64_t>(std::max<std::int64_t>(0, value))) : format_duration(value);
}

Section delta_section(const std::string& id, const std::string& title, const std::vector<Delta>& deltas, bool bytes,
                      int level, bool details) {
    Section section{id, title, "", {}, "Nothing to compare."};
    section.level = level;
    section.table.columns = {{"what", false, false, 64}, {"base", true}, {"new", true},
                             {"change", true},           {"%", true},    {"count", true},
                             {"count, new", true}};
    if (details) section.table.columns.push_back({"made of", false, false, 48});
    for (const Delta& delta : deltas) {
        std::vector<Cell> row{delta.name,
                              value_text(delta.base_value, delta.base_count, bytes),
                              value_text(delta.new_value, delta.new_count, bytes),
                              change_text(delta, bytes),
                              percent_text(delta),
                              std::to_string(delta.base_count),
                              std::to_string(delta.new_count)};
        if (details) row.emplace_back(delta.detail);
        section.table.rows.push_back(std::move(row));
    }
    return section;
}

Section finding_section(const std::string& id, const std::string& title, const std::vector<FindingRow>& findings) {
    Section section{id, title, "", {}, "None."};
    section.table.columns = {{"severity"}, {"kind"}, {"op"}, {"line", false, true}, {"what", false, false, 96}};
    for (const FindingRow& finding : findings) {
        section.table.rows.push_back({finding.severity, finding.kind, finding.op, place_text(finding.place),
                                      finding.message.empty() ? finding.rule : finding.message});
    }
    return section;
}

Json delta_json(const Delta& delta, const char* unit) {
    const std::string base = std::string("base_") + unit, changed = std::string("new_") + unit;
    const auto percent = delta.percent();
    Json json{{"name", delta.name}, {"base_count", delta.base_count}, {"new_count", delta.new_count}};
    json[base] = delta.base_value;
    json[changed] = delta.new_value;
    json[std::string("change_") + unit] = delta.change();
    json["percent"] = percent ? Json(*percent) : Json();
    return json;
}

Json deltas_json(const std::vector<Delta>& deltas, const char* unit) {
    Json all = Json::array();
    for (const Delta& delta : deltas) all.push_back(delta_json(delta, unit));
    return all;
}

Json findings_json(const std::vector<FindingRow>& findings) {
    Json all = Json::array();
    for (const FindingRow& finding : findings) {
        Json json{{"kind", finding.kind}, {"severity", finding.severity}, {"op", finding.op}};
        json["file"] = finding.place.file.empty() ? Json() : Json(finding.place.file);
        json["line"] = finding.place.file.empty() ? Json() : Json(finding.place.line);
        json["message"] = finding.message;
        all.push_back(std::move(json));
    }
    return all;
}

}  // namespace

Document to_document(const Comparison& comparison) {
    Document document;
    document.title = "fusescope comparison";
    document.facts = {{"Base", comparison.base_profile + ": " + comparison.base_head},
                      {"New", comparison.new_profile + ": " + comparison.new_head}};
    for (const ClockComparison& times : comparison.times) {
        const Delta& total = times.total;
        document.facts.emplace_back(std::string("Ops, ") + name_of(times.clock),
                                    value_text(total.base_value, total.base_count, false) + " → " +
                                        value_text(total.new_value, total.new_count, false) + ", " +
                                        percent_text(total));
    }
    document.facts.emplace_back("Wall time", format_duration(comparison.wall.base_value) + " → " +
                                                 format_duration(comparison.wall.new_value) + ", " +
                                                 percent_text(comparison.wall));
    document.facts.emplace_back("Compile time", format_duration(comparison.compile.base_value) + " → " +
                                                    format_duration(comparison.compile.new_value));
    for (const std::string& warning : comparison.warnings) document.facts.emplace_back("Note", warning);
    document.sections.push_back(finding_section("new-findings", "New findings", comparison.new_findings));
    document.sections.push_back(finding_section("gone-findings", "Findings that are gone", comparison.gone_findings));
    for (const ClockComparison& times : comparison.times) {
        const std::string word = name_of(times.clock), mark = clock_mark(times.clock);
        for (auto& [id, title, deltas] :
             {std::tuple{"ops-", "Time by op", &times.ops}, std::tuple{"lines-", "Time by line", &times.lines},
              std::tuple{"kernels-", "Time by kernel of a graph", &times.kernels}}) {
            if (deltas->empty()) continue;
            document.sections.push_back(delta_section(id + word, title + (mark.empty() ? ", measured" : mark), *deltas,
                                                      false, 1, deltas == &times.kernels));
            document.sections.back().modelled = times.clock == Clock::modelled;
        }
    }
    document.sections.push_back(
        delta_section("transfers", "Bytes between host and device, by cause", comparison.transfers, true, 1, false));
    if (!comparison.transfer_times.empty()) {
        document.sections.push_back(
            delta_section("transfer-times", "Time of copies, by cause", comparison.transfer_times, false, 1, false));
    }
    document.sections.push_back(delta_section("memory", "Memory peak, by device", comparison.memory, true, 1, false));
    return document;
}

std::string to_json(const Comparison& comparison) {
    Json json;
    json["format"] = "fusescope-comparison";
    json["version"] = 1;
    json["base"] = comparison.base_profile;
    json["new"] = comparison.new_profile;
    json["wall"] = delta_json(comparison.wall, "ns");
    json["compile"] = delta_json(comparison.compile, "ns");
    json["time"] = Json::object();
    for (const ClockComparison& times : comparison.times) {
        json["time"][name_of(times.clock)] = {{"total", delta_json(times.total, "ns")},
                                              {"ops", deltas_json(times.ops, "ns")},
                                              {"lines", deltas_json(times.lines, "ns")},
                                              {"kernels", deltas_json(times.kernels, "ns")}};
    }
    const auto grown = growth(comparison);
    json["growth_percent"] = grown ? Json(*grown) : Json();
    json["transfers"] = deltas_json(comparison.transfers, "bytes");
    json["transfer_times"] = deltas_json(comparison.transfer_times, "ns");
    json["memory"] = deltas_json(comparison.memory, "bytes");
    json["new_findings"] = findings_json(comparison.new_findings);
    json["gone_findings"] = findings_json(comparison.gone_findings);
    json["warnings"] = comparison.warnings;
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace fusescope::report
