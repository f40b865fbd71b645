// A finding as a row: sentence and detail.
#include "profiler/write/finding_row.hpp"

#include <cctype>
#include <nlohmann/json.hpp>

#include "profiler/query/finding_text.hpp"

namespace fusescope {

namespace {

nlohmann::json chain_json(const std::vector<FindingLink>& chain, const PlaceOf& place_of) {
    nlohmann::json list = nlohmann::json::array();
    for (const FindingLink& link : chain) {
        const FindingPlace place = place_of(link.frame);
        list.push_back({{"op", link.op},
                        {"file", place.file},
                        {"line", place.line},
                        {"phase", name_of(link.phase)},
                        {"index", link.index},
                        {"value", link.value}});
        if (!place.name.empty()) list.back()["name"] = place.name;
    }
    return list;
}

bool part_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || (c & 0x80); }

}  // namespace

std::string assigned_name(std::string_view line) {
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string_view::npos || std::isdigit(static_cast<unsigned char>(line[begin]))) return {};
    std::size_t end = begin;
    while (end < line.size() && part_of_name(line[end])) ++end;
    const std::size_t sign = line.find_first_not_of(" \t", end);
    if (end == begin || sign == std::string_view::npos || line[sign] != '=') return {};
    if (sign + 1 < line.size() && line[sign + 1] == '=') return {};
    return std::string(line.substr(begin, end - begin));
}

FindingRow finding_row(std::int64_t id, const Finding& finding, const PlaceOf& place_of) {
    const FindingPlace place = place_of(finding.frame);
    const FindingPlace root = place_of(finding.root_frame);
    query::FindingDetail detail;
    detail.op = finding.op;
    detail.file = place.file;
    detail.line = place.line;
    detail.phase = name_of(finding.phase);
    detail.rule = finding.rule;
    if (finding.step >= 0) detail.step = finding.step;
    if (finding.count >= 0) detail.count = finding.count;
    if (finding.has_index) detail.index = finding.index;
    detail.inputs = finding.inputs;
    detail.shapes = finding.shapes;
    detail.root_op = finding.root_op;
    detail.root_file = root.file;
    detail.root_line = root.line;
    detail.root_name = root.name;
    detail.root_index = finding.root_index;
    detail.root_value = finding.root_value;
    if (finding.reach != Reach::unknown) detail.reach = name_of(finding.reach);
    detail.reach_line = place_of(finding.reach_frame).line;
    detail.occurrences = finding.occurrences;
    detail.arguments = {finding.arguments.begin(), finding.arguments.end()};
    std::string kind = name_of(finding.kind);
    detail.advice = finding.advice.empty() ? query::finding_advice(kind, detail) : finding.advice;

    nlohmann::json json = {{"op", detail.op},
                           {"file", detail.file},
                           {"line", detail.line},
                           {"phase", detail.phase},
                           {"rule", detail.rule}};
    if (detail.step) json["step"] = *detail.step;
    if (detail.count) json["count"] = *detail.count;
    if (finding.has_index) json["index"] = detail.index;
    if (!detail.inputs.empty()) json["inputs"] = detail.inputs;
    if (!detail.shapes.empty()) json["shapes"] = detail.shapes;
    if (!detail.root_op.empty() || detail.root_line > 0) {
        json["root"] = {{"op", detail.root_op}, {"file", detail.root_file}, {"line", detail.root_line}};
        if (!detail.root_value.empty()) {
            json["root"]["index"] = detail.root_index;
            json["root"]["value"] = detail.root_value;
        }
        if (!detail.root_name.empty()) json["root"]["name"] = detail.root_name;
    }
    if (!finding.chain.empty()) json["chain"] = chain_json(finding.chain, place_of);
    if (!detail.reach.empty()) json["reach"] = detail.reach;
    if (detail.reach_line > 0) json["reach_line"] = detail.reach_line;
    if (detail.occurrences > 1) json["occurrences"] = detail.occurrences;
    if (!detail.advice.empty()) json["advice"] = detail.advice;
    if (!detail.arguments.empty()) json["arguments"] = detail.arguments;

    FindingRow row;
    row.id = id;
    row.kind = finding.kind;
    row.severity = finding.severity;
    row.op_event = finding.op_event;
    row.frame = finding.frame;
    row.message = finding.message.empty() ? query::finding_text(kind, detail) : finding.message;
    row.detail = json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    return row;
}

}  // namespace fusescope
