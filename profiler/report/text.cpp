// The document as plain text with aligned columns. Every cell passes through printable(): names and messages come from
// a profile and must not steer the terminal.
#include <algorithm>

#include "profiler/report/document.hpp"
#include "profiler/report/format.hpp"

namespace fusescope::report {

namespace {

void pad(std::string& out, int cells) {
    if (cells > 0) out.append(static_cast<std::size_t>(cells), ' ');
}

void add_table(std::string& out, const Table& table, std::size_t limit) {
    const std::size_t shown = std::min(limit, table.rows.size());
    const std::size_t columns = table.columns.size();
    std::vector<std::vector<std::string>> cells(shown, std::vector<std::string>(columns));
    std::vector<int> widths(columns);
    for (std::size_t c = 0; c < columns; ++c) {
        const Column& column = table.columns[c];
        widths[c] = display_width(column.title);
        for (std::size_t r = 0; r < shown; ++r) {
            cells[r][c] = fit_width(printable(table.rows[r][c].text), column.max_width, column.keep_tail);
            widths[c] = std::max(widths[c], display_width(cells[r][c]));
        }
    }
    const auto add_row = [&](auto&& text_of) {
        std::string line = "  ";
        for (std::size_t c = 0; c < columns; ++c) {
            const std::string& text = text_of(c);
            const int space = widths[c] - display_width(text);
            if (table.columns[c].right) pad(line, space);
            line += text;
            if (!table.columns[c].right) pad(line, space);
            line += "  ";
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + "\n";
    };
    add_row([&](std::size_t c) -> const std::string& { return table.columns[c].title; });
    for (std::size_t r = 0; r < shown; ++r) {
        add_row([&](std::size_t c) -> const std::string& { return cells[r][c]; });
    }
    if (shown < table.rows.size()) {
        out += "  … " + format_count(table.rows.size() - shown) + " more; --format json has all of them\n";
    }
}

/// Long lists are broken between their members.
void add_wrapped(std::string& out, const std::string& line) {
    constexpr int kWidth = 110;
    std::string rest = line;
    const char* indent = "  ";
    while (display_width(rest) > kWidth) {
        std::size_t cut = std::string::npos;
        for (std::size_t at = rest.find(", "); at != std::string::npos && at < kWidth; at = rest.find(", ", at + 1)) {
            cut = at;
        }
        if (cut == std::string::npos) break;
        out += indent + rest.substr(0, cut + 1) + "\n";
        rest = rest.substr(cut + 2);
        indent = "    ";
    }
    out += indent + rest + "\n";
}

}  // namespace

std::string table_text(const Table& table) {
    std::string out;
    add_table(out, table, table.rows.size());
    return out;
}

std::string to_text(const Document& document, std::size_t rows) {
    std::string out = printable(document.title) + "\n";
    if (!document.subtitle.empty()) out += printable(document.subtitle) + "\n";
    out += "\n";
    int label_width = 0;
    for (const auto& fact : document.facts) label_width = std::max(label_width, display_width(fact.first));
    for (const auto& [label, value] : document.facts) {
        out += "  " + label;
        pad(out, label_width - display_width(label) + 2);
        out += printable(value) + "\n";
    }
    for (const Section& section : document.sections) {
        out += "\n";
        const std::string title = printable(section.title);
        if (section.level == 1) {
            out += title + "\n";
            for (int i = display_width(title); i > 0; --i) out += "─";
            out += "\n";
        } else {
            out += "  " + title + "\n";
        }
        if (!section.note.empty()) out += "  " + printable(section.note) + "\n";
        if (!section.table.rows.empty()) {
            add_table(out, section.table, rows);
        } else if (!section.empty.empty()) {
            out += "  " + printable(section.empty) + "\n";
        }
        for (const std::string& line : section.lines) add_wrapped(out, printable(line));
    }
    return out;
}

}  // namespace fusescope::report
