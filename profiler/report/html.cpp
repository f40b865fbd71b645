// The document as one HTML file that needs nothing else: no network, no script, light and dark by the reader's setting.
#include <algorithm>

#include "profiler/report/document.hpp"
#include "profiler/report/format.hpp"

namespace fusescope::report {

namespace {

constexpr const char* kStyle = R"(
:root{color-scheme:light dark;--bg:#fbfbfd;--fg:#1c1e24;--dim:#62666f;--line:#dcdfe6;--bar:#9fc3e8;--card:#fff;--model:#b07d00}
@media (prefers-color-scheme:dark){:root{--bg:#16181d;--fg:#e4e6eb;--dim:#9aa0ac;--line:#30343d;--bar:#2f567c;--card:#1d2027;--model:#e0b040}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--fg);font:15px/1.5 system-ui,"Noto Sans","Noto Sans CJK SC",sans-serif}
main,header{max-width:76rem;margin:0 auto;padding:1rem 1.25rem}
h1{font-size:1.5rem;margin:.5rem 0 0}h2{font-size:1.15rem;margin:2rem 0 .25rem}h3{font-size:1rem;margin:1.25rem 0 .25rem}
p{margin:.25rem 0}.dim,.note{color:var(--dim)}
nav{display:flex;flex-wrap:wrap;gap:.25rem .9rem;margin:.75rem 0;font-size:.9rem}nav a{color:inherit}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1.25rem;margin:.75rem 0}dt{color:var(--dim)}dd{margin:0;overflow-wrap:anywhere}
.wrap{overflow-x:auto;background:var(--card);border:1px solid var(--line);border-radius:8px;margin:.5rem 0}
table{border-collapse:collapse;width:100%;font-size:.9rem}
th,td{padding:.3rem .7rem;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
tr:last-child td{border-bottom:0}th{font-weight:600;color:var(--dim);white-space:nowrap}
td.r,th.r{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
.tag{color:var(--model);border:1px solid var(--model);border-radius:4px;padding:0 .4em;font-size:.75em;vertical-align:middle}
.drawing{padding:.5rem;background:#fff;color:#1c1e24}.drawing svg{max-width:100%;height:auto}
@media print{nav{display:none}.wrap{overflow:visible}}
)";

std::string escaped(std::string_view raw) {
    const std::string text = printable(raw);
    std::string out;
    out.reserve(text.size());
    for (const char c : text) {
        switch (c) {
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '"':
                out += "&quot;";
                break;
            case '\'':
                out += "&#39;";
                break;
            default:
                out += c;
        }
    }
    return out;
}

void add_table(std::string& out, const Table& table, std::size_t limit) {
    out += "<div class=\"wrap\"><table><thead><tr>";
    for (const Column& column : table.columns) {
        out += column.right ? "<th class=\"r\">" : "<th>";
        out += escaped(column.title) + "</th>";
    }
    out += "</tr></thead><tbody>\n";
    const std::size_t shown = std::min(limit, table.rows.size());
    for (std::size_t r = 0; r < shown; ++r) {
        out += "<tr>";
        for (std::size_t c = 0; c < table.columns.size(); ++c) {
            const Cell& cell = table.rows[r][c];
            out += table.columns[c].right ? "<td class=\"r\"" : "<td";
            if (cell.share >= 0) {
                const std::string percent = fixed(100 * std::min(1.0, cell.share), 1) + "%";
                out += " style=\"background:linear-gradient(to right,var(--bar) " + percent + ",transparent " +
                       percent + ")\"";
            }
            out += ">" + escaped(cell.text) + "</td>";
        }
        out += "</tr>\n";
    }
    out += "</tbody></table></div>\n";
    if (shown < table.rows.size()) {
        out +=
            "<p class=\"dim\">… " + format_count(table.rows.size() - shown) + " more rows; the JSON form has all</p>\n";
    }
}

}  // namespace

std::string to_html(const Document& document, std::size_t rows) {
    std::string out =
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
        "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>" +
        escaped(document.title) + "</title>\n<style>" + kStyle + "</style></head>\n<body><header><h1>" +
        escaped(document.title) + "</h1>\n";
    if (!document.subtitle.empty()) out += "<p class=\"dim\">" + escaped(document.subtitle) + "</p>\n";
    out += "<dl>";
    for (const auto& [label, value] : document.facts) {
        out += "<dt>" + escaped(label) + "</dt><dd>" + escaped(value) + "</dd>\n";
    }
    out += "</dl><nav>";
    for (const Section& section : document.sections) {
        if (section.level == 1) {
            out += "<a href=\"#" + escaped(section.id) + "\">" + escaped(section.title) + "</a>\n";
        }
    }
    out += "</nav></header><main>\n";
    for (const Section& section : document.sections) {
        const char* heading = section.level == 1 ? "h2" : "h3";
        out += std::string("<section id=\"") + escaped(section.id) + "\"><" + heading + ">" + escaped(section.title);
        if (section.modelled) out += " <span class=\"tag\">modelled</span>";
        out += std::string("</") + heading + ">\n";
        if (!section.note.empty()) out += "<p class=\"note\">" + escaped(section.note) + "</p>\n";
        if (!section.table.rows.empty()) {
            add_table(out, section.table, rows);
        } else if (!section.empty.empty()) {
            out += "<p>" + escaped(section.empty) + "</p>\n";
        }
        for (const std::string& line : section.lines) out += "<p>" + escaped(line) + "</p>\n";
        if (!section.svg.empty()) out += "<div class=\"wrap drawing\">" + section.svg + "</div>\n";
        out += "</section>\n";
    }
    out += "</main></body></html>\n";
    return out;
}

}  // namespace fusescope::report
