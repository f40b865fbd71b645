// Where did the nodes of graphs run, and what was bad in their outputs?
#pragma once

#include <string>
#include <unordered_map>

#include "profiler/query/common.hpp"

namespace fusescope::query {

struct NodeFact {
    std::string device;    ///< of the node's first event
    std::int64_t nan = 0;  ///< elements of its outputs over all events that were looked at
    std::int64_t inf = 0;
};
/// By row of `node`; only nodes that ran.
std::unordered_map<std::int64_t, NodeFact> node_facts(Database& database);

}  // namespace fusescope::query
