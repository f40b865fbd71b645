// Which operand has an element type that the op does not take: dtypes one under the other, the wrong one marked.
#include <algorithm>

#include "engine/debug/explain/explanation.hpp"
#include "engine/exec/dispatch.hpp"

namespace fusescope::explain {
namespace {

std::string padded(std::string text, std::size_t width) {
    text.resize(std::max(width, text.size()), ' ');
    return text;
}

// The first operand that the op does not take; where each is taken alone, the first that differs from the one before.
std::size_t wrong_operand(const Case& c) {
    const auto& operands = c.call.operands;
    if (!c.call.op) return operands.size();
    const auto& schema = c.call.op->schema.operands;
    for (std::size_t i = 0; i < operands.size(); ++i) {
        if (!operands[i].present) continue;
        if (!exec::accepts(schema[std::min(i, schema.size() - 1)].accept, operands[i].type.dtype)) return i;
    }
    for (std::size_t i = 1; i < operands.size(); ++i) {
        if (operands[i].present && operands[0].present && operands[i].type.dtype != operands[0].type.dtype) return i;
    }
    return operands.size();
}

}  // namespace

Clash dtype_clash(const Case& c) {
    struct Row {
        std::string label, dtype, shape, note;
    };
    std::vector<Row> rows;
    std::vector<std::size_t> operands;
    std::size_t label = 0, dtype = 0, shape = 0;
    for (std::size_t i = 0; i < c.call.operands.size(); ++i) {
        if (!c.call.operands[i].present) continue;
        rows.push_back({c.label(i), std::string(name_of(c.type(i).dtype)), to_string(c.type(i).shape), c.origin(i)});
        operands.push_back(i);
        label = std::max(label, rows.back().label.size());
        dtype = std::max(dtype, rows.back().dtype.size());
        shape = std::max(shape, rows.back().shape.size());
    }
    const std::size_t wrong = wrong_operand(c);
    Clash clash;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const Row& row = rows[r];
        std::string line = "    " + padded(row.label, label) + "  " + padded(row.dtype, dtype) + "  ";
        line += row.note.empty() ? row.shape : padded(row.shape, shape) + "  " + row.note;
        clash.text += line + "\n";
        if (operands[r] == wrong) {
            clash.text += std::string(4 + label + 2, ' ') + std::string(row.dtype.size(), '^') + "\n";
            clash.arguments.emplace_back("operand", row.label);
            clash.arguments.emplace_back("dtype", row.dtype);
        }
        const std::string operand = "operand" + std::to_string(r);
        clash.arguments.emplace_back(operand, row.label);
        clash.arguments.emplace_back(operand + "_dtype", row.dtype);
        if (!row.note.empty()) clash.arguments.emplace_back(operand + "_origin", row.note);
    }
    return clash;
}

// One operand with another element type, or all of them with the same one.
void fit_cast(const Case& c, std::vector<Fit>& fits) {
    const std::size_t wrong = wrong_operand(c);
    if (wrong == c.call.operands.size()) return;
    std::vector<DType> tried;
    for (const auto& o : c.call.operands) {
        if (o.present && &o != &c.call.operands[wrong]) tried.push_back(o.type.dtype);
    }
    const bool number = is_float(c.type(wrong).dtype);
    // A float that should be an int is cast to Int32; an int that should be a float, to Float32.
    for (DType d : {number ? DType::Int32 : DType::Float32, number ? DType::Bool : DType::Int32, DType::Bool}) {
        tried.push_back(d);
    }
    for (DType d : tried) {
        if (d == c.type(wrong).dtype) continue;
        std::vector<TensorType> types = c.types();
        types[wrong].dtype = d;
        if (!c.accepts(types, c.call.attrs)) continue;
        Fit f;
        std::string dtype(name_of(d));
        std::transform(dtype.begin(), dtype.end(), dtype.begin(), [](unsigned char ch) { return std::tolower(ch); });
        if (d == DType::Bool) dtype = "bool_";
        f.key = "fit_cast";
        f.arguments = {{"fit_operand", c.label(wrong)}, {"fit_dtype", dtype}};
        f.text = c.label(wrong) + ".astype(ms." + dtype + ")";
        if (const exec::Producer* p = c.maker(wrong)) {
            f.root_op = p->op ? p->op->name() : p->data;
            f.root_frame = p->frame;
        }
        fits.push_back(std::move(f));
        return;
    }
}

}  // namespace fusescope::explain
