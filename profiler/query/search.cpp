// Rows are matched one by one in C++: the words may be a regular expression, which SQLite does not know.
#include "profiler/query/search.hpp"

#include <string>

namespace fusescope::query {

namespace {

using Table = Place::Table;
using Hits = std::vector<SearchHit>;

// Rows of (id, name).
Hits names(Database& database, const char* sql, Table table, const SearchMatch& match, std::size_t limit) {
    Hits hits;
    Statement statement = database.prepare(sql);
    while (hits.size() < limit && statement.step()) {
        SearchHit hit;
        statement.read(hit.place.id, hit.text);
        hit.place.table = table;
        if (match(hit.text)) hits.push_back(std::move(hit));
    }
    return hits;
}

Hits nodes(Database& database, const SearchMatch& match, std::size_t limit) {
    // Nodes that are left at the end were given a last ordinal of the last stage, or none by another writer.
    Statement statement = database.prepare(
        "SELECT n.id, n.name, n.op, n.scope, g.name, s.pass FROM node n JOIN stage s ON s.id = n.stage_id JOIN graph g "
        "ON g.id = s.graph_id JOIN (SELECT graph_id, max(ordinal) last FROM stage GROUP BY graph_id) l ON l.graph_id = "
        "s.graph_id ORDER BY coalesce(n.last_ordinal, s.ordinal) < l.last, n.id");
    Hits hits;
    std::string name, op, scope, graph, pass;
    while (hits.size() < limit && statement.step()) {
        SearchHit hit;
        statement.read(hit.place.id, name, op, scope, graph, pass);
        hit.place.table = Table::node;
        hit.text = name;
        if (!op.empty() && op != name) hit.text += " · " + op;
        if (!scope.empty()) hit.text += " · " + scope;
        if (!match(hit.text)) continue;
        hit.where = graph + ", " + pass;
        hits.push_back(std::move(hit));
    }
    return hits;
}

Hits lines(Database& database, const SearchMatch& match, std::size_t limit) {
    Hits hits;
    Statement statement = database.prepare("SELECT id, path, text FROM source ORDER BY id");
    while (hits.size() < limit && statement.step()) {
        std::int64_t id = 0;
        std::string path, text;
        statement.read(id, path, text);
        std::int64_t line = 1;
        for (std::size_t at = 0; at < text.size() && hits.size() < limit; ++line) {
            const std::size_t end = std::min(text.find('\n', at), text.size());
            const std::string_view one = std::string_view(text).substr(at, end - at);
            if (!one.empty() && match(one)) {
                hits.push_back({{Table::line, id, line}, std::string(one), path, line, 0});
            }
            at = end + 1;
        }
    }
    return hits;
}

Hits tensors(Database& database, const SearchMatch& match, std::size_t limit) {
    Statement statement = database.prepare(
        "SELECT t.id, t.op_event_id, k.name, t.shape, t.dtype, t.nan, t.inf, p.path, f.line FROM tensor t JOIN "
        "op_event "
        "e ON e.id = t.op_event_id JOIN op_kind k ON k.id = e.kind_id LEFT JOIN frame f ON f.id = e.frame_id LEFT JOIN "
        "source p ON p.id = f.source_id ORDER BY t.id");
    Hits hits;
    std::string op, shape, dtype;
    while (hits.size() < limit && statement.step()) {
        SearchHit hit;
        std::int64_t nan = 0, inf = 0;
        statement.read(hit.place.id, hit.op_event, op, shape, dtype, nan, inf, hit.where, hit.line);
        hit.place.table = Table::tensor;
        hit.text = op + ' ' + shape + ' ' + dtype;
        if (nan > 0) hit.text += " NaN";
        if (inf > 0) hit.text += " Inf";
        if (match(hit.text)) hits.push_back(std::move(hit));
    }
    return hits;
}

}  // namespace

std::vector<SearchHit> search(Database& database, SearchIn in, const SearchMatch& match, std::size_t limit) {
    switch (in) {
        case SearchIn::ops:
            return names(database, "SELECT id, name FROM op_kind ORDER BY name", Table::kind, match, limit);
        case SearchIn::graphs:
            return names(database, "SELECT id, name FROM graph ORDER BY id", Table::graph, match, limit);
        case SearchIn::scopes:
            return names(database, "SELECT id, path FROM scope WHERE path <> '' ORDER BY path", Table::scope, match,
                         limit);
        case SearchIn::nodes:
            return nodes(database, match, limit);
        case SearchIn::lines:
            return lines(database, match, limit);
        case SearchIn::tensors:
            return tensors(database, match, limit);
    }
    return {};
}

}  // namespace fusescope::query
