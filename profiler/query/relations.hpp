// What belongs to what: the one place that knows how node, op event, frame, source line, transfer, tensor and finding
// hang together. With it a view needs to know its own table only.
#pragma once

#include <string>
#include <vector>

#include "profiler/query/common.hpp"

namespace fusescope::query {

/// A thing that can be selected: a row of a table, or a line of a source file.
struct Place {
    enum class Table { none, op_event, node, frame, line, finding, transfer, tensor, kind, scope, graph, graph_break };
    Table table = Table::none;
    std::int64_t id = 0;    ///< row id; for `line` the source_id
    std::int64_t line = 0;  ///< only for Table::line

    friend bool operator==(const Place&, const Place&) = default;
};

class Relations {
 public:
    explicit Relations(Database& database) : database_(database) {}

    /// Op events that belong to the place, by id, at most `limit`. For a node: the events of the final nodes that it
    /// went into. For a line: what was issued there and by final nodes that came from there.
    std::vector<std::int64_t> op_events(const Place& place, std::int64_t limit = 10000);

    /// Nodes of one stage that belong to the place.
    std::vector<std::int64_t> nodes(const Place& place, std::int64_t stage_id);

    /// Source lines that belong to the place (Table::line), the most direct first: its own frame, then those of the
    /// captured nodes it came from.
    std::vector<Place> lines(const Place& place);

    std::vector<std::int64_t> findings(const Place& place);
    std::vector<std::int64_t> transfers(const Place& place, std::int64_t limit = 10000);

    /// Graphs that have the place, in order of id.
    std::vector<std::int64_t> graphs(const Place& place);

 private:
    std::vector<std::int64_t> captured(const Place& place);

    Database& database_;
};

}  // namespace fusescope::query
