// What belongs to what.
#include "profiler/query/relations.hpp"

#include <algorithm>
#include <set>

#include "profiler/query/origins.hpp"

namespace fusescope::query {

namespace {

using Table = Place::Table;
using Ids = std::vector<std::int64_t>;

/// First column of every row of a query with one or two numbers to bind.
Ids ids(Database& database, const char* sql, std::int64_t first, std::optional<std::int64_t> second = std::nullopt) {
    Ids all;
    Statement statement = database.prepare(sql);
    statement.bind(1, first);
    if (second) statement.bind(2, *second);
    while (statement.step()) {
        if (!statement.is_null(0)) all.push_back(statement.integer(0));
    }
    return all;
}

void sort_unique(Ids& all) {
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
}

void append(Ids& all, const Ids& more) { all.insert(all.end(), more.begin(), more.end()); }

/// The op event that a finding, transfer or tensor is about.
Ids event_of(Database& database, const Place& place) {
    switch (place.table) {
        case Table::op_event:
            return {place.id};
        case Table::finding:
            return ids(database, "SELECT op_event_id FROM finding WHERE id = ?1", place.id);
        case Table::transfer:
            return ids(database, "SELECT op_event_id FROM transfer WHERE id = ?1", place.id);
        case Table::tensor:
            return ids(database, "SELECT op_event_id FROM tensor WHERE id = ?1", place.id);
        default:
            return {};
    }
}

/// The frame that a row names itself.
Ids frame_of(Database& database, const Place& place) {
    switch (place.table) {
        case Table::frame:
            return {place.id};
        case Table::op_event:
            return ids(database, "SELECT frame_id FROM op_event WHERE id = ?1", place.id);
        case Table::node:
            return ids(database, "SELECT frame_id FROM node WHERE id = ?1", place.id);
        case Table::finding:
            return ids(database, "SELECT frame_id FROM finding WHERE id = ?1", place.id);
        case Table::transfer:
            return ids(database, "SELECT frame_id FROM transfer WHERE id = ?1", place.id);
        case Table::graph:
            return ids(database, "SELECT frame_id FROM graph WHERE id = ?1", place.id);
        case Table::graph_break:
            return ids(database, "SELECT frame_id FROM graph_break WHERE id = ?1", place.id);
        default:
            return {};
    }
}

/// Frames that lie in the same line; a selected frame stands for itself.
Ids frames_of(Database& database, const Place& place) {
    if (place.table == Table::frame) return {place.id};
    if (place.table == Table::line) {
        return ids(database, "SELECT id FROM frame WHERE source_id = ?1 AND line = ?2", place.id, place.line);
    }
    return {};
}

}  // namespace

std::vector<std::int64_t> Relations::captured(const Place& place) {
    Ids nodes;
    if (place.table == Table::node) {
        nodes.push_back(place.id);
    } else if (place.table == Table::graph) {
        return ids(database_,
                   "SELECT n.id FROM stage s JOIN node n ON n.stage_id = s.id WHERE s.graph_id = ?1 AND s.ordinal = 0",
                   place.id);
    } else if (place.table == Table::scope) {
        return ids(database_,
                   "SELECT n.id FROM scope c JOIN node n ON n.scope = c.path JOIN stage s ON s.id = n.stage_id "
                   "WHERE c.id = ?1 AND s.ordinal = 0",
                   place.id);
    } else if (place.table == Table::kind) {
        return ids(database_,
                   "SELECT DISTINCT e.node_id FROM op_event e WHERE e.kind_id = ?1 AND e.node_id IS NOT NULL",
                   place.id);
    } else if (place.table == Table::frame || place.table == Table::line) {
        for (std::int64_t frame : frames_of(database_, place)) {
            append(
                nodes,
                ids(database_,
                    "SELECT n.id FROM node n JOIN stage s ON s.id = n.stage_id WHERE n.frame_id = ?1 AND s.ordinal = 0",
                    frame));
        }
        sort_unique(nodes);
        return nodes;
    } else {
        for (std::int64_t event : event_of(database_, place)) {
            append(nodes, ids(database_, "SELECT node_id FROM op_event WHERE id = ?1", event));
        }
    }
    Ids found;
    for (std::int64_t node : nodes) append(found, captured_nodes(database_, node));
    sort_unique(found);
    return found;
}

std::vector<std::int64_t> Relations::nodes(const Place& place, std::int64_t stage_id) {
    // A node's own row is the start, so that a node which a pass put in without a captured one behind it is found too.
    Ids start = captured(place);
    if (place.table == Table::node) {
        Ids direct = counterparts(database_, {place.id}, stage_id);
        if (!direct.empty()) return direct;
    }
    return counterparts(database_, start, stage_id);
}

std::vector<std::int64_t> Relations::op_events(const Place& place, std::int64_t limit) {
    Ids all;
    switch (place.table) {
        case Table::none:
            return {};
        case Table::op_event:
        case Table::finding:
        case Table::transfer:
        case Table::tensor:
            return event_of(database_, place);
        case Table::kind:
            return ids(database_, "SELECT id FROM op_event WHERE kind_id = ?1 ORDER BY id LIMIT ?2", place.id, limit);
        case Table::scope:
            return ids(database_, "SELECT id FROM op_event WHERE scope_id = ?1 ORDER BY id LIMIT ?2", place.id, limit);
        case Table::graph:
            return ids(
                database_,
                "SELECT e.id FROM stage s JOIN node n ON n.stage_id = s.id JOIN op_event e ON e.node_id = n.id WHERE "
                "s.graph_id = ?1 ORDER BY e.id LIMIT ?2",
                place.id, limit);
        case Table::graph_break:
            break;
        case Table::frame:
        case Table::line:
            for (std::int64_t frame : frames_of(database_, place)) {
                append(all, ids(database_, "SELECT id FROM op_event WHERE frame_id = ?1 ORDER BY id LIMIT ?2", frame,
                                limit));
            }
            [[fallthrough]];
        case Table::node: {
            Ids finals;
            if (place.table == Table::node) {
                finals = final_nodes(database_, place.id);
            } else {
                for (std::int64_t node : captured(place)) append(finals, final_nodes(database_, node));
            }
            sort_unique(finals);
            for (std::int64_t node : finals) {
                append(all,
                       ids(database_, "SELECT id FROM op_event WHERE node_id = ?1 ORDER BY id LIMIT ?2", node, limit));
            }
            break;
        }
    }
    sort_unique(all);
    if (static_cast<std::int64_t>(all.size()) > limit) all.resize(static_cast<std::size_t>(limit));
    return all;
}

std::vector<Place> Relations::lines(const Place& place) {
    if (place.table == Table::line) return {place};
    Ids frames = frame_of(database_, place);
    if (frames.empty()) {
        for (std::int64_t event : event_of(database_, place))
            append(frames, frame_of(database_, {Table::op_event, event, 0}));
    }
    for (std::int64_t node : captured(place)) append(frames, frame_of(database_, {Table::node, node, 0}));
    if (place.table == Table::kind || place.table == Table::scope) {
        append(frames, ids(database_,
                           place.table == Table::kind ? "SELECT DISTINCT frame_id FROM op_event WHERE kind_id = ?1"
                                                      : "SELECT DISTINCT frame_id FROM op_event WHERE scope_id = ?1",
                           place.id));
    }
    std::vector<Place> lines;
    Statement statement = database_.prepare("SELECT source_id, line FROM frame WHERE id = ?1");
    for (std::int64_t frame : frames) {
        statement.bind_all(frame);
        if (!statement.step()) continue;
        Place line{Table::line, statement.integer(0), statement.integer(1)};
        statement.reset();
        if (line.id != 0 && std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
    }
    return lines;
}

std::vector<std::int64_t> Relations::findings(const Place& place) {
    if (place.table == Table::finding) return {place.id};
    Ids all;
    for (std::int64_t event : op_events(place)) {
        append(all, ids(database_, "SELECT id FROM finding WHERE op_event_id = ?1", event));
    }
    Ids frames = frames_of(database_, place);
    if (place.table == Table::graph_break) frames = frame_of(database_, place);
    for (std::int64_t frame : frames) append(all, ids(database_, "SELECT id FROM finding WHERE frame_id = ?1", frame));
    sort_unique(all);
    return all;
}

std::vector<std::int64_t> Relations::transfers(const Place& place, std::int64_t limit) {
    if (place.table == Table::transfer) return {place.id};
    Ids all;
    for (std::int64_t event : op_events(place, limit)) {
        append(all, ids(database_, "SELECT id FROM transfer WHERE op_event_id = ?1", event));
    }
    Ids frames = frames_of(database_, place);
    if (place.table == Table::graph_break) frames = frame_of(database_, place);
    for (std::int64_t frame : frames)
        append(all, ids(database_, "SELECT id FROM transfer WHERE frame_id = ?1 LIMIT ?2", frame, limit));
    sort_unique(all);
    if (static_cast<std::int64_t>(all.size()) > limit) all.resize(static_cast<std::size_t>(limit));
    return all;
}

std::vector<std::int64_t> Relations::graphs(const Place& place) {
    if (place.table == Table::graph) return {place.id};
    if (place.table == Table::graph_break) {
        return ids(database_, "SELECT graph_id FROM graph_break WHERE id = ?1", place.id);
    }
    Ids nodes = captured(place);
    if (place.table == Table::node) nodes.push_back(place.id);
    Ids all;
    for (std::int64_t node : nodes) {
        append(all,
               ids(database_, "SELECT s.graph_id FROM node n JOIN stage s ON s.id = n.stage_id WHERE n.id = ?1", node));
    }
    sort_unique(all);
    return all;
}

}  // namespace fusescope::query
