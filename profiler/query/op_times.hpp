// Where did the time go? Sums of op events by kind, by source line, by node (fused kernel) and by scope (Cell).
#pragma once

#include <string>
#include <vector>

#include "profiler/query/common.hpp"

namespace fusescope::query {

/// One row per op kind and clock, longest first.
struct KindTime : Totals {
    std::int64_t kind_id = 0;
    std::string name;
};
std::vector<KindTime> times_by_kind(Database& database, const EventFilter& filter = {});

/// One row per source line and clock, longest first. Stacks that end in the same line are one row.
struct LineTime : Totals {
    std::int64_t source_id = 0;  ///< 0 when the events have no frame
    std::int64_t line = 0;
    std::int64_t frame_id = 0;  ///< one of the frames at that line
    std::string path;
    std::string function;
};
std::vector<LineTime> times_by_line(Database& database, const EventFilter& filter = {});

/// One row per graph node that ran and clock, longest first; eager events are not in it.
struct NodeTime : Totals {
    std::int64_t node_id = 0;
    std::int64_t graph_id = 0;
    std::string graph;
    std::string name;
    std::string op;
    std::string scope;
    std::int64_t kind_id = 0;
};
std::vector<NodeTime> times_by_node(Database& database, const EventFilter& filter = {});

/// One row per scope and clock, ordered by path. A scope that only holds others has a row too. The inherited Totals
/// are the scope's own; `with_nested_ns` adds those of the scopes inside it, each once.
struct ScopeTime : Totals {
    std::string path;
    int depth = 0;              ///< number of '/' in the path
    std::int64_t scope_id = 0;  ///< 0 when no event has exactly this path
    std::int64_t with_nested_ns = 0;
    std::int64_t with_nested_calls = 0;
};
std::vector<ScopeTime> times_by_scope(Database& database, const EventFilter& filter = {});

/// One row per training step and clock, in order.
struct StepTime : Totals {
    std::int64_t step = 0;
    std::int64_t begin_ns = 0;  ///< launch of its first op
    std::int64_t end_ns = 0;    ///< end of its last op
};
std::vector<StepTime> times_by_step(Database& database, const EventFilter& filter = {});

/// Everything that passes the filter: one row per clock that occurs.
std::vector<Totals> total_times(Database& database, const EventFilter& filter = {});

}  // namespace fusescope::query
