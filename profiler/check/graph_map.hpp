// Where the values of a captured graph are found in the graph that runs: what makes an eager op comparable with a node
// that three passes have been at.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "fusescope/snapshot.hpp"

namespace fusescope::check {

/// Output of a node of the graph that runs; node 0: the value exists nowhere in it.
struct FinalValue {
    NodeId node = 0;
    std::uint32_t output = 0;
};

/// A node as the program asked for it, in program order.
struct CapturedNode {
    NodeId id = 0;
    NodeId parent = 0;  ///< branch or loop node that holds it; 0 at the top level
    std::uint32_t region = 0;
    std::string op;
    FrameId frame = 0;
    std::string scope;
    Phase phase = Phase::forward;
    std::vector<FinalValue> outputs;
};

/// Something that a pass did, in the order in which it was done.
struct Rewrite {
    std::string pass, rule;
    std::string op;  ///< of the node that was replaced
    FrameId frame = 0;
};

struct GraphMap {
    struct Place {
        NodeId parent = 0;
        std::uint32_t region = 0;
    };

    GraphId id = 0;
    std::string name, signature;
    FrameId frame = 0;
    std::vector<CapturedNode> captured;
    std::unordered_map<NodeId, Place> in_regions;  ///< nodes of the graph that runs which are not at its top level
    std::unordered_map<NodeId, std::vector<std::uint32_t>> members;  ///< final node: the captured ones it was made from
    std::vector<Rewrite> rewrites;
};

GraphMap map_graph(const GraphSnapshot& graph);

}  // namespace fusescope::check
