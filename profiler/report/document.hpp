// What a report shows, free of how: sections with tables. The text and the HTML page are drawn from the same document,
// so that they cannot tell different things.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace fusescope::report {

struct Column {
    std::string title;
    bool right = false;      ///< numbers are aligned right
    bool keep_tail = false;  ///< when too wide, the start is cut ("…ain.py:12"), else the end
    int max_width = 44;      ///< cells in the text form
};

struct Cell {
    Cell(std::string t) : text(std::move(t)) {}  // NOLINT: a cell is mostly just its text
    Cell(const char* t) : text(t) {}
    Cell(std::string t, double s) : text(std::move(t)), share(s) {}
    std::string text;
    double share = -1;  ///< 0…1 draws a bar of that length behind the text; negative: none
};

struct Table {
    std::vector<Column> columns;
    std::vector<std::vector<Cell>> rows;
};

struct Section {
    std::string id;  ///< anchor of the HTML page
    std::string title;
    std::string note;                ///< one sentence under the title; may be empty
    Table table;                     ///< may have no columns
    std::string empty;               ///< said instead of a table without rows
    std::vector<std::string> lines;  ///< plain lines after the table
    std::string svg;                 ///< a drawing that the HTML page shows after the table; our own, trusted markup
    bool modelled = false;           ///< times in it come from a cost model
    int level = 1;
};

struct Document {
    std::string title;
    std::string subtitle;
    std::vector<std::pair<std::string, std::string>> facts;
    std::vector<Section> sections;
};

/// `rows` is how many rows of each table are shown at most; the rest is counted in one line.
std::string to_text(const Document& document, std::size_t rows = 15);
/// One table alone, every row of it.
std::string table_text(const Table& table);
std::string to_html(const Document& document, std::size_t rows = 500);

}  // namespace fusescope::report
