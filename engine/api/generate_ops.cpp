// Writes fusescope/ops.hpp from the op table: one inline function an op, with its documentation.
#include <fmt/format.h>

#include <cstdio>
#include <set>
#include <string>

#include "engine/ir/op_def.hpp"

namespace {

using namespace fusescope;

const std::set<std::string> kKeywords = {"and",      "or",    "not",      "xor",      "default", "switch",
                                         "float",    "int",   "bool",     "double",   "new",     "delete",
                                         "register", "union", "template", "operator", "print"};

std::string safe(std::string name) { return kKeywords.contains(name) ? name + "_" : name; }

const char* type_of(AttrType t) {
    switch (t) {
        case AttrType::boolean:
            return "bool";
        case AttrType::integer:
            return "std::int64_t";
        case AttrType::number:
            return "double";
        case AttrType::string:
            return "const std::string&";
        case AttrType::dtype:
            return "DType";
        case AttrType::ints:
            return "const Ints&";
        default:
            return "const AttrValue&";
    }
}

struct DefaultText {
    std::string operator()(std::monostate) const { return "{}"; }
    std::string operator()(bool v) const { return v ? "true" : "false"; }
    std::string operator()(std::int64_t v) const { return fmt::format("std::int64_t{{{}}}", v); }
    std::string operator()(double) const { return {}; }  // see default_text
    std::string operator()(const std::string& v) const { return "\"" + v + "\""; }
    std::string operator()(DType v) const { return "DType::" + std::string(name_of(v)); }
    std::string operator()(const Ints& v) const {
        std::string s = "Ints{";
        for (std::size_t i = 0; i < v.size(); ++i) s += (i ? ", " : "") + std::to_string(v[i]);
        return s + "}";
    }
};

std::string default_text(const AttrValue& v) {
    if (const double* d = std::get_if<double>(&v)) {
        std::string s = fmt::format("{}", *d);
        if (s == "inf") return "std::numeric_limits<double>::infinity()";
        if (s == "-inf") return "-std::numeric_limits<double>::infinity()";
        if (s == "nan") return "std::numeric_limits<double>::quiet_NaN()";
        return s.find_first_of(".e") == std::string::npos ? s + ".0" : s;
    }
    return std::visit(DefaultText{}, v);
}

std::string function(const OpDef& op) {
    const OpSchema& s = op.schema;
    std::string parameters, operands, attributes;
    auto add = [&](const std::string& p) { parameters += (parameters.empty() ? "" : ", ") + p; };
    bool list = false;
    bool defaults = true;  // C++ wants defaults at the end only
    for (const AttrSpec& a : s.attributes) defaults = defaults && !a.required;
    for (const Operand& o : s.operands) {
        if (o.kind == OperandKind::list) {
            list = true;
            add("const std::vector<Tensor>& " + safe(o.name));
            continue;
        }
        add("const Tensor& " + safe(o.name) + (o.kind == OperandKind::optional && defaults ? " = {}" : ""));
        operands += (operands.empty() ? "" : ", ") + safe(o.name);
    }
    bool tail = false;
    std::size_t last_required = 0;
    for (std::size_t i = 0; i < s.attributes.size(); ++i) {
        if (s.attributes[i].required) last_required = i + 1;
    }
    for (std::size_t i = 0; i < s.attributes.size(); ++i) {
        const AttrSpec& a = s.attributes[i];
        tail = i >= last_required;
        add(std::string(type_of(a.type)) + " " + safe(a.name) + (tail ? " = " + default_text(a.default_value) : ""));
        attributes += (attributes.empty() ? "" : ", ") + safe(a.name);
    }
    const char* result = s.outputs == 1 ? "Tensor" : "std::vector<Tensor>";
    std::string text = "/// " + s.doc + "\ninline " + result + " " + safe(s.functional) + "(" + parameters + ") {\n";
    text += "    static const Op op(\"" + s.name + "\");\n";
    if (list) {
        std::string name = safe(s.operands.back().name);
        text += operands.empty()
                    ? "    const std::vector<Tensor>& inputs = " + name + ";\n"
                    : "    std::vector<Tensor> inputs{" + operands + "};\n    inputs.insert(inputs.end(), " + name +
                          ".begin(), " + name + ".end());\n";
        text += std::string("    return op(inputs, {") + attributes + "})" + (s.outputs == 1 ? "[0]" : "") + ";\n";
    } else {
        text += std::string("    return op.") + (s.outputs == 1 ? "one" : "many") + "({" + operands + "}, {" +
                attributes + "});\n";
    }
    return text + "}\n\n";
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: generate_ops OUT\n");
        return 2;
    }
    std::FILE* out = std::fopen(argv[1], "w");
    if (!out) {
        std::perror(argv[1]);
        return 4;
    }
    std::string text =
        "// Made from the op table. One function an op, by its mindspore.ops name.\n#pragma once\n\n#include <limits>\n"
        "#include <string>\n#include <vector>\n\n#include \"fusescope/op_call.hpp\"\n\nnamespace fusescope::ops {\n\n";
    for (const OpDef& op : OpTable::get().rows()) {
        if (!op.schema.functional.empty()) text += function(op);
    }
    text += "}  // namespace fusescope::ops\n";
    const bool written = std::fwrite(text.data(), 1, text.size(), out) == text.size();
    return std::fclose(out) == 0 && written ? 0 : 4;
}
