#include "profiler/export/drawn_graph.hpp"
#include "profiler/query/origins.hpp"

namespace fusescope {

std::vector<DrawnGraph> drawn_graphs(Database& database) {
    std::vector<DrawnGraph> all;
    for (query::Graph& graph : query::graphs(database)) {
        DrawnGraph drawn;
        const std::vector<query::Stage> stages = query::stages(database, graph.id);
        if (!stages.empty()) {
            drawn.stages.push_back(
                {"as captured", query::stage_graph(database, stages.front().id, query::Nesting::top_level), {}});
        }
        bool changed = false;
        for (const query::Stage& stage : stages) changed = changed || (stage.ordinal > 0 && stage.changed);
        if (changed) {
            DrawnStage last{"as it ran", query::stage_graph(database, stages.back().id, query::Nesting::top_level), {}};
            for (query::Fusion& fusion : query::fusions(database, graph.id)) {
                last.members[fusion.node_id] = std::move(fusion.member_ops);
            }
            drawn.stages.push_back(std::move(last));
        }
        drawn.graph = std::move(graph);
        all.push_back(std::move(drawn));
    }
    return all;
}

std::string scope_label(const std::string& scope) {
    const std::size_t slash = scope.find('/');
    if (slash == std::string::npos) return scope == "Default" ? "" : scope;
    return scope.substr(slash + 1);
}

std::string member_line(const std::vector<std::string>& members, std::size_t most) {
    std::string text;
    for (std::size_t i = 0; i < members.size() && i < most; ++i) text += (i > 0 ? ", " : "") + members[i];
    if (members.size() > most) text += ", …";
    return text;
}

bool is_leaf(const query::Node& node) { return node.op == "Parameter" || node.op == "Constant"; }

}  // namespace fusescope
