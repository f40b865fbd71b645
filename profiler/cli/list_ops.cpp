// --list-ops: the op table as it is, gaps included.
#include <unistd.h>

#include <algorithm>

#include "engine/ir/attribute.hpp"
#include "engine/ir/op_def.hpp"
#include "profiler/cli/verbs.hpp"
#include "profiler/export/sink.hpp"
#include "profiler/report/document.hpp"
#include "profiler/report/format.hpp"

namespace fusescope::cli {

namespace {

/// "matmul(input, mat2, *, transpose_a=False)", the way Python calls it.
std::string signature_of(const OpDef& op) {
    std::string text = op.schema.functional.empty() ? op.schema.name : op.schema.functional;
    text += "(";
    std::string separator;
    for (const Operand& operand : op.schema.operands) {
        text += separator + (operand.kind == OperandKind::list ? "*" : "") + operand.name +
                (operand.kind == OperandKind::optional ? "=None" : "");
        separator = ", ";
    }
    for (const AttrSpec& attribute : op.schema.attributes) {
        text += separator + attribute.name;
        if (!attribute.required) {
            const std::string json = to_json(attribute.default_value);
            text += "=" + (json == "null" ? "None" : json == "true" ? "True" : json == "false" ? "False" : json);
        }
        separator = ", ";
    }
    return text + ")";
}

}  // namespace

int list_ops() {
    report::Table table;
    table.columns = {{"op"},     {"mindspore.ops", false, false, 60}, {"runs as"}, {"gradient"},
                     {"Ascend"}, {"what it does", false, false, 100}};
    std::size_t without_gradient = 0, without_ascend = 0;
    for (const OpDef& op : OpTable::get().rows()) {
        const bool gradient = op.grad != kNoGradient;
        without_gradient += gradient ? 0 : 1;
        without_ascend += op.ascend.aclnn.empty() ? 1 : 0;
        table.rows.push_back({op.name(), signature_of(op),
                              op.elementwise() ? "elementwise"
                              : op.kernel      ? "kernel"
                                               : "simpler ops",
                              gradient ? "yes" : "-",
                              op.ascend.aclnn.empty() ? "-" : op.ascend.aclnn + (op.ascend.numbers_differ ? " *" : ""),
                              op.schema.doc});
    }
    std::sort(table.rows.begin(), table.rows.end(), [](const auto& a, const auto& b) { return a[0].text < b[0].text; });
    const std::size_t count = table.rows.size();
    DescriptorSink sink(STDOUT_FILENO, "standard output");
    sink << report::table_text(table) << "\n"
         << std::to_string(count) << " ops; " << std::to_string(without_gradient) << " have no gradient, "
         << std::to_string(without_ascend) << " run on the CPU when the device is Ascend (*: numbers differ there)\n";
    sink.flush();
    return kDone;
}

}  // namespace fusescope::cli
