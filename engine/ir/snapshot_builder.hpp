// Copies a graph's stages into the plain structs that a recorder takes. Linear in the size of each stage that changed.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/ir/printer.hpp"
#include "engine/ir/rewriter.hpp"
#include "fusescope/snapshot.hpp"

namespace fusescope::ir {

class SnapshotBuilder {
 public:
    /// `frame` may be null: then the texts have no source lines.
    explicit SnapshotBuilder(FrameResolver frame = {});

    /// What is told of a stage besides its graph.
    struct Stage {
        std::string pass;
        std::int64_t duration_ns = 0;
        std::uint32_t rewrites = 0;
        std::string note;
        std::vector<Drop> drops;
        std::int64_t peak_bytes = -1;
        std::vector<SuccessorSnapshot> successors;
        std::vector<RewriteSnapshot> rewritten;
    };
    /// The graph after a pass; the first call is for the graph as captured ("capture"). When `graph` is the one of the
    /// call before, the stage is marked as unchanged and holds no nodes.
    void add(const GraphPtr& graph, Stage stage);
    std::vector<StageSnapshot> take() { return std::move(stages_); }

 private:
    void nodes(const Graph& g, NodeId parent, std::uint32_t region, StageSnapshot& out,
               std::unordered_map<NodeId, NodeId>& parents, std::unordered_map<NodeId, bool>& listed);
    NodeSnapshot describe(const Node& n, NodeId parent);

    FrameResolver frame_;
    Numbering numbering_;
    GraphPtr last_;
    std::unordered_map<NodeId, NodeId> parent_before_;  // nodes of the last stage, with their parents
    NodeId return_before_ = 0;
    std::vector<StageSnapshot> stages_;
};

}  // namespace fusescope::ir
