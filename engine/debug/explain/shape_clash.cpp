// Which axes of which operands clash: the operands' shapes one under the other, axes that must agree in one column.
#include <algorithm>

#include "engine/debug/explain/explanation.hpp"
#include "engine/ops/op_ids.hpp"

namespace fusescope::explain {
namespace {

struct Table {
    std::vector<AlignedRow> rows;
    std::vector<std::size_t> operands;   ///< of each row
    std::vector<std::vector<int>> axes;  ///< axis of the operand in each column of each row; -1: none
    std::vector<bool> marks;

    explicit Table(std::size_t columns) : marks(columns) {}

    /// `column_of[k]` is the column of axis k.
    void add(const Case& c, std::size_t operand, const std::vector<std::size_t>& column_of, const char* suffix = "") {
        AlignedRow row{c.label(operand) + suffix, std::vector<std::int64_t>(marks.size(), AlignedRow::kBlank),
                       c.origin(operand)};
        std::vector<int> axis(marks.size(), -1);
        const Shape& shape = c.type(operand).shape;
        for (std::size_t k = 0; k < shape.size(); ++k) {
            row.cells[column_of[k]] = shape[k];
            axis[column_of[k]] = static_cast<int>(k);
        }
        rows.push_back(std::move(row));
        operands.push_back(operand);
        axes.push_back(std::move(axis));
    }
};

std::vector<std::size_t> columns_from(std::size_t first, std::size_t count) {
    std::vector<std::size_t> columns(count);
    for (std::size_t k = 0; k < count; ++k) columns[k] = first + k;
    return columns;
}

std::vector<std::size_t> present(const Case& c) {
    std::vector<std::size_t> operands;
    for (std::size_t i = 0; i < c.call.operands.size(); ++i) {
        if (c.call.operands[i].present) operands.push_back(i);
    }
    return operands;
}

std::size_t largest_rank(const Case& c, const std::vector<std::size_t>& operands) {
    std::size_t rank = 0;
    for (std::size_t i : operands) rank = std::max(rank, c.type(i).shape.size());
    return rank;
}

// All that have a cell in a column must agree there; with `ones`, an extent of 1 agrees with any other.
void mark_unequal(Table& t, bool ones, std::size_t from = 0) {
    for (std::size_t col = from; col < t.marks.size(); ++col) {
        std::int64_t seen = AlignedRow::kBlank;
        for (const AlignedRow& row : t.rows) {
            const std::int64_t cell = row.cells[col];
            if (cell == AlignedRow::kBlank || (ones && cell == 1)) continue;
            if (seen == AlignedRow::kBlank) seen = cell;
            if (cell != seen) t.marks[col] = true;
        }
    }
}

Table right_aligned_operands(const Case& c) {
    const std::vector<std::size_t> operands = present(c);
    Table t(largest_rank(c, operands));
    for (std::size_t i : operands) {
        const std::size_t rank = c.type(i).shape.size();
        t.add(c, i, columns_from(t.marks.size() - rank, rank));
    }
    return t;
}

Table left_aligned_operands(const Case& c) {
    const std::vector<std::size_t> operands = present(c);
    Table t(largest_rank(c, operands));
    for (std::size_t i : operands) t.add(c, i, columns_from(0, c.type(i).shape.size()));
    return t;
}

// Columns: batch axes, rows of the result, the axis that is summed over, columns of the result.
Table product(const Case& c, bool ta, bool tb) {
    const std::size_t ra = c.type(0).shape.size(), rb = c.type(1).shape.size();
    const std::size_t batch = std::max(ra > 2 ? ra - 2 : 0, rb > 2 ? rb - 2 : 0);
    const std::size_t m = batch, k = batch + 1, n = batch + 2;
    Table t(batch + 3);
    const auto columns = [&](std::size_t rank, std::size_t before, std::size_t last, bool swapped) {
        if (rank == 0) return std::vector<std::size_t>{};
        if (rank == 1) return std::vector<std::size_t>{k};
        std::vector<std::size_t> all = columns_from(batch - (rank - 2), rank - 2);
        // A transposed operand is shown as the product reads it.
        all.push_back(swapped ? last : before);
        all.push_back(swapped ? before : last);
        return all;
    };
    ta = ta && ra > 1, tb = tb && rb > 1;
    t.add(c, 0, columns(ra, m, k, ta), ta ? ".T" : "");
    t.add(c, 1, columns(rb, k, n, tb), tb ? ".T" : "");
    mark_unequal(t, true);
    t.marks[k] = t.rows[0].cells[k] != t.rows[1].cells[k];
    if (c.call.operands.size() < 3 || !c.call.operands[2].present) return t;
    // Dense: the bias goes with the columns of the result.
    const std::size_t rank = c.type(2).shape.size();
    if (rank == 0 || rank > n + 1) return t;
    t.add(c, 2, columns_from(n + 1 - rank, rank));
    t.marks[n] = t.rows[1].cells[n] != t.rows[2].cells[n] || rank > 1;
    return t;
}

// Axis 1 of the first operand against vectors with one element a channel.
Table channels(const Case& c) {
    const std::vector<std::size_t> operands = present(c);
    Table t(std::max<std::size_t>(largest_rank(c, operands), 2));
    for (std::size_t i : operands) {
        const std::size_t rank = c.type(i).shape.size();
        t.add(c, i, columns_from(i > 0 && rank == 1 ? 1 : 0, rank));
    }
    for (const AlignedRow& row : t.rows) {
        t.marks[1] = t.marks[1] || (row.cells[1] != AlignedRow::kBlank && row.cells[1] != t.rows[0].cells[1]);
    }
    return t;
}

bool attribute(const Case& c, std::size_t i) {
    const bool* given = i < c.call.attrs.size() ? std::get_if<bool>(&c.call.attrs[i]) : nullptr;
    return given && *given;
}

Table convolution(const Case& c) {
    const Shape& x = c.type(0).shape;
    const Shape& w = c.type(1).shape;
    if (x.rank() != 4 || w.rank() != 4) return left_aligned_operands(c);
    Table t(4);
    t.add(c, 0, columns_from(0, 4));
    t.add(c, 1, columns_from(0, 4));
    const std::int64_t* group = c.call.attrs.size() > 4 ? std::get_if<std::int64_t>(&c.call.attrs[4]) : nullptr;
    t.marks[1] = x[1] != w[1] * (group ? *group : 1);
    if (c.call.operands.size() > 2 && c.call.operands[2].present && c.type(2).shape.rank() == 1) {
        t.add(c, 2, {0});
        t.marks[0] = c.type(2).shape[0] != w[0];
    }
    if (t.marks[0] || t.marks[1]) return t;
    for (std::size_t k = 2; k < 4; ++k) t.marks[k] = w[k] > x[k];  // a window that does not fit
    return t;
}

Table joined(const Case& c) {
    Table t = left_aligned_operands(c);
    const std::int64_t* axis = c.call.attrs.size() > 0 ? std::get_if<std::int64_t>(&c.call.attrs[0]) : nullptr;
    mark_unequal(t, false);
    const auto rank = static_cast<std::int64_t>(t.marks.size());
    if (!axis || c.call.op->id != op::concat || *axis < -rank || *axis >= rank) return t;
    t.marks[static_cast<std::size_t>(*axis < 0 ? *axis + rank : *axis)] = false;  // there they may differ
    return t;
}

Table table_for(const Case& c) {
    if (!c.call.op) {
        Table t = right_aligned_operands(c);
        mark_unequal(t, false);
        return t;
    }
    const OpDef& op = *c.call.op;
    if (op.id == op::matmul && c.call.operands.size() == 2) return product(c, attribute(c, 0), attribute(c, 1));
    if (op.id == op::dense) return product(c, false, true);
    if (op.id == op::conv2d) return convolution(c);
    if (op.id == op::concat || op.id == op::stack) return joined(c);
    if (op.id == op::bias_add || op.id == op::batch_norm) return channels(c);
    if (op.id == op::layer_norm || op.elementwise() || op.id == op::mse_loss || op.id == op::l1_loss ||
        op.id == op::clip || op.id == op::masked_fill) {
        Table t = right_aligned_operands(c);
        mark_unequal(t, op.id != op::layer_norm);
        return t;
    }
    return left_aligned_operands(c);
}

// "axis 1 of `x` is 3, axis 0 of `total` is 2" in parts, for the sentence of the catalogue.
void say_clash(const Case& c, const Table& t, Arguments& arguments) {
    const auto at = std::find(t.marks.rbegin(), t.marks.rend(), true);
    if (at == t.marks.rend()) return;
    const auto column = static_cast<std::size_t>(t.marks.rend() - at - 1);
    const char* names[2] = {"left", "right"};
    std::size_t said = 0;
    std::int64_t first = AlignedRow::kBlank;
    for (std::size_t r = 0; r < t.rows.size() && said < 2; ++r) {
        const std::int64_t cell = t.rows[r].cells[column];
        if (cell == AlignedRow::kBlank || cell == first) continue;
        first = cell;
        const std::string name = names[said++];
        arguments.emplace_back(name, c.label(t.operands[r]));
        arguments.emplace_back(name + "_axis", std::to_string(t.axes[r][column]));
        arguments.emplace_back(name + "_extent", std::to_string(cell));
    }
}

}  // namespace

Clash shape_clash(const Case& c) {
    const Table t = table_for(c);
    Clash clash;
    clash.text = to_text(t.rows, t.marks);
    say_clash(c, t, clash.arguments);
    for (std::size_t r = 0; r < t.rows.size(); ++r) {
        const std::string operand = "operand" + std::to_string(r);
        const AlignedRow& row = t.rows[r];
        clash.arguments.emplace_back(operand, c.label(t.operands[r]));
        clash.arguments.emplace_back(operand + "_shape", to_string(c.type(t.operands[r]).shape));
        if (!row.note.empty()) clash.arguments.emplace_back(operand + "_origin", row.note);
    }
    return clash;
}

}  // namespace fusescope::explain
