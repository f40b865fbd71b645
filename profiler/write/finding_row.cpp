// A finding as a row: sentence and detail.
#include "profiler/write/finding_row.hpp"

#include <nlohmann/json.hpp>

#include "profiler/query/finding_text.hpp"

namespace fusescope {

FindingRow finding_row(std::int64_t id, const Finding& finding, const FindingPlace& place, const FindingPlace& root) {
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
    }
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
