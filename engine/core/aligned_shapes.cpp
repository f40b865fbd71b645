#include "engine/core/aligned_shapes.hpp"

#include <algorithm>

namespace fusescope {
namespace {

std::string padded(const std::string& text, std::size_t width) {
    return text + std::string(width > text.size() ? width - text.size() : 0, ' ');
}

std::string digits(std::int64_t cell) { return cell == AlignedRow::kBlank ? std::string() : std::to_string(cell); }

std::string shape_text(const AlignedRow& row, const std::vector<std::size_t>& widths) {
    const auto given = [](std::int64_t c) { return c != AlignedRow::kBlank; };
    const auto first = std::find_if(row.cells.begin(), row.cells.end(), given);
    if (first == row.cells.end()) return "()";
    const auto last = std::find_if(row.cells.rbegin(), row.cells.rend(), given).base() - 1;
    std::string text;
    for (auto at = row.cells.begin(); at != row.cells.end(); ++at) {
        const std::string cell = (at == first ? "(" : "") + digits(*at);
        // One more than the digits: room for the bracket, or the space after a comma.
        text += std::string(widths[static_cast<std::size_t>(at - row.cells.begin())] + 1 - cell.size(), ' ') + cell;
        if (at == last && at == first) text += ',';  // one axis: Python's (3,)
        text += at == last ? ')' : given(*at) ? ',' : ' ';
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
}

}  // namespace

std::string to_text(std::span<const AlignedRow> rows, const std::vector<bool>& marks) {
    std::size_t label = 0, shape = 0;
    std::vector<std::size_t> widths(marks.size(), 1);
    for (const AlignedRow& row : rows) {
        label = std::max(label, row.label.size());
        for (std::size_t c = 0; c < widths.size(); ++c) widths[c] = std::max(widths[c], digits(row.cells[c]).size());
    }
    for (const AlignedRow& row : rows) shape = std::max(shape, shape_text(row, widths).size());
    std::string text;
    for (const AlignedRow& row : rows) {
        std::string line = "    " + padded(row.label, label) + (label ? "  " : "");
        line += row.note.empty() ? shape_text(row, widths) : padded(shape_text(row, widths), shape) + "  " + row.note;
        text += line + "\n";
    }
    if (std::find(marks.begin(), marks.end(), true) == marks.end()) return text;
    std::string line = "    " + std::string(label + (label ? 2 : 0), ' ');
    for (std::size_t c = 0; c < marks.size(); ++c) {
        line += " " + std::string(widths[c], marks[c] ? '^' : ' ') + " ";
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return text + line + "\n";
}

std::vector<std::int64_t> right_aligned(const Shape& shape, std::size_t columns) {
    std::vector<std::int64_t> cells(columns, AlignedRow::kBlank);
    std::copy(shape.begin(), shape.end(), cells.end() - static_cast<std::ptrdiff_t>(shape.size()));
    return cells;
}

std::vector<bool> broadcast_clashes(const Shape& a, const Shape& b) {
    const std::size_t columns = std::max(a.size(), b.size());
    const std::vector<std::int64_t> x = right_aligned(a, columns), y = right_aligned(b, columns);
    const auto free = [](std::int64_t cell) { return cell == 1 || cell == AlignedRow::kBlank; };
    std::vector<bool> clash(columns);
    for (std::size_t k = 0; k < columns; ++k) clash[k] = x[k] != y[k] && !free(x[k]) && !free(y[k]);
    return clash;
}

}  // namespace fusescope
