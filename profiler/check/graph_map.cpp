#include "profiler/check/graph_map.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace fusescope::check {

namespace {

std::uint64_t key(NodeId node, std::uint32_t output) { return node << 8 ^ output; }

bool computes(const NodeSnapshot& node) {
    return node.op != "Parameter" && node.op != "Constant" && node.op != "Return";
}

std::uint32_t outputs_of(const NodeSnapshot& node) {
    if (node.dtype.empty()) return 0;
    return 1 + static_cast<std::uint32_t>(std::count(node.dtype.begin(), node.dtype.end(), ';'));
}

/// Members of fused kernels are nodes of a region too; they do not run one by one.
bool runs_regions(const NodeSnapshot& node) { return node.op == "If" || node.op == "While"; }

void move_values(GraphMap& map, const StageSnapshot& stage) {
    std::unordered_map<std::uint64_t, FinalValue> successors;
    for (const SuccessorSnapshot& s : stage.successors) {
        successors[key(s.before, s.before_output)] = {s.after, s.after_output};
    }
    std::unordered_set<NodeId> there;
    for (const NodeSnapshot& node : stage.nodes) there.insert(node.id);
    for (CapturedNode& node : map.captured) {
        for (FinalValue& value : node.outputs) {
            const auto it = successors.find(key(value.node, value.output));
            if (it != successors.end()) value = it->second;
            if (!there.contains(value.node)) value = {};
        }
    }
}

/// Captured nodes of each node of a stage, from those of the stage before.
using Members = std::unordered_map<NodeId, std::vector<std::uint32_t>>;
Members move_members(const Members& before, const StageSnapshot& stage) {
    Members now;
    for (const NodeSnapshot& node : stage.nodes) {
        std::vector<std::uint32_t>& mine = now[node.id];
        for (const NodeId origin : node.origins) {
            const auto it = before.find(origin);
            if (it != before.end()) mine.insert(mine.end(), it->second.begin(), it->second.end());
        }
        std::sort(mine.begin(), mine.end());
        mine.erase(std::unique(mine.begin(), mine.end()), mine.end());
    }
    return now;
}

}  // namespace

GraphMap map_graph(const GraphSnapshot& graph) {
    GraphMap map;
    map.id = graph.id;
    map.name = graph.name;
    map.signature = graph.signature;
    map.frame = graph.frame;
    std::unordered_map<NodeId, std::pair<std::string, FrameId>> known;
    Members members;
    const StageSnapshot* last = nullptr;
    for (const StageSnapshot& stage : graph.stages) {
        for (const RewriteSnapshot& rewrite : stage.rewritten) {
            const auto& [op, frame] = known[rewrite.node];
            map.rewrites.push_back({stage.pass, rewrite.rule, op, frame});
        }
        if (!stage.changed) continue;
        for (const NodeSnapshot& node : stage.nodes) known[node.id] = {node.op, node.frame};
        if (last == nullptr) {
            for (const NodeSnapshot& node : stage.nodes) {
                if (!computes(node)) continue;
                CapturedNode captured{node.id,    node.parent, node.region, node.op,
                                      node.frame, node.scope,  node.phase,  {}};
                for (std::uint32_t k = 0; k < outputs_of(node); ++k) captured.outputs.push_back({node.id, k});
                members[node.id] = {static_cast<std::uint32_t>(map.captured.size())};
                map.captured.push_back(std::move(captured));
            }
        } else {
            move_values(map, stage);
            members = move_members(members, stage);
        }
        last = &stage;
    }
    if (last == nullptr) return map;
    std::unordered_set<NodeId> running;
    for (const NodeSnapshot& node : last->nodes) {
        if (runs_regions(node)) running.insert(node.id);
    }
    for (const NodeSnapshot& node : last->nodes) {
        if (node.parent != 0 && running.contains(node.parent)) map.in_regions[node.id] = {node.parent, node.region};
        const bool inside_kernel = node.parent != 0 && !running.contains(node.parent);
        if (!inside_kernel && members[node.id].size() > 1) map.members[node.id] = std::move(members[node.id]);
    }
    return map;
}

}  // namespace fusescope::check
