// Nodes and edges of a graph at one stage.
#pragma once

#include <string>
#include <vector>

#include "profiler/query/common.hpp"

namespace fusescope::query {

struct Node {
    std::int64_t id = 0;
    std::int64_t stage_id = 0;  ///< stage of its row: the first that has it, maybe before the one asked for
    std::string name;
    std::string op;
    std::string attributes;  ///< JSON object
    std::string dtype;
    std::string shape;
    std::string scope;
    std::int64_t frame_id = 0;
    std::string path;
    std::int64_t line = 0;
    std::int64_t flops = 0;
    std::int64_t bytes = 0;
    std::int64_t parent_id = 0;  ///< 0 at the top level
    std::string phase;           ///< "forward", "backward", "optimizer", "input"; "" when the profile does not say
};

struct Edge {
    std::int64_t source = 0;
    std::int64_t source_output = 0;
    std::int64_t target = 0;
    std::int64_t target_input = 0;
};

struct StageGraph {
    std::vector<Node> nodes;
    std::vector<Edge> edges;  ///< between nodes of `nodes` only
};

enum class Nesting {
    all,       ///< with everything inside regions
    top_level  ///< without
};
StageGraph stage_graph(Database& database, std::int64_t stage_id, Nesting nesting = Nesting::all);

/// The inside of one node: branches of a cond, the fused body, with the edges among them.
StageGraph region(Database& database, std::int64_t stage_id, std::int64_t parent_id);

std::optional<Node> node(Database& database, std::int64_t id);

struct Drop {
    std::int64_t node_id = 0;
    std::string name;  ///< of the node
    std::string op;
    std::string reason;
};
/// What the pass of that stage removed without a successor.
std::vector<Drop> drops(Database& database, std::int64_t stage_id);

}  // namespace fusescope::query
