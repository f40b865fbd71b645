// Where does a node come from, and what became of it? Through any number of stages, both ways.
#pragma once

#include <map>
#include <vector>

#include "profiler/query/common.hpp"

namespace fusescope::query {

/// Nodes of stage `stage_id` that `nodes` (rows of any stage of the same graph) came from or went into, in order of
/// id. A node of that very stage stands for itself.
std::vector<std::int64_t> counterparts(Database& database, const std::vector<std::int64_t>& nodes,
                                       std::int64_t stage_id);

/// The same to the graph as captured (ordinal 0) and to the graph that ran (last ordinal).
std::vector<std::int64_t> captured_nodes(Database& database, std::int64_t node_id);
std::vector<std::int64_t> final_nodes(Database& database, std::int64_t node_id);

/// For every node of `upper` (the later stage) the nodes of `lower` it came from. One pass over the graph: made for
/// two stages side by side.
std::map<std::int64_t, std::vector<std::int64_t>> origins_between(Database& database, std::int64_t upper_stage_id,
                                                                  std::int64_t lower_stage_id);

/// A node of the final graph that does the work of several captured ones.
struct Fusion {
    std::int64_t graph_id = 0;
    std::int64_t node_id = 0;
    std::string name;
    std::string op;
    std::vector<std::int64_t> members;  ///< captured nodes; leaves (Parameter, Constant) are not counted
    std::vector<std::string> member_ops;
    std::int64_t bytes_before = 0;  ///< memory traffic of the members run one by one
    std::int64_t bytes_after = 0;
};
/// Fused nodes of a graph, those that save most memory traffic first.
std::vector<Fusion> fusions(Database& database, std::int64_t graph_id);

}  // namespace fusescope::query
