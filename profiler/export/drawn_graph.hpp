// What graph.dot and graph.svg draw of a profile: each graph as captured and as it ran.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "profiler/query/graphs.hpp"
#include "profiler/query/stage_graph.hpp"

namespace fusescope {

struct DrawnStage {
    std::string title;                                                   ///< "as captured", "as it ran"
    query::StageGraph graph;                                             ///< top level only, edges between its nodes
    std::unordered_map<std::int64_t, std::vector<std::string>> members;  ///< fused node → captured ops
};

struct DrawnGraph {
    query::Graph graph;
    std::vector<DrawnStage> stages;  ///< one when nothing changed, else two
};

std::vector<DrawnGraph> drawn_graphs(Database& database);

/// The part of a scope that gives a node its colour and its group: "Default/fc1-Dense" → "fc1-Dense".
std::string scope_label(const std::string& scope);
/// "Add" with what it is made of, at most `most` of them: "Add, Mul, ReLU, …".
std::string member_line(const std::vector<std::string>& members, std::size_t most);
bool is_leaf(const query::Node& node);  ///< Parameter or Constant

}  // namespace fusescope
