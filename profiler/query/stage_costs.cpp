#include "profiler/query/stage_costs.hpp"

#include <map>

namespace fusescope::query {

std::vector<StageCost> stage_costs(Database& database, std::int64_t graph_id) {
    std::map<std::int64_t, StageCost> costs;
    Statement stages = database.prepare("SELECT ordinal FROM stage WHERE graph_id = ? ORDER BY ordinal");
    stages.bind(1, graph_id);
    while (stages.step()) costs[stages.integer(0)].ordinal = stages.integer(0);

    // What begins and what ends at each stage; the running sum is what lives there.
    std::map<std::int64_t, StageCost> begin, end;
    Statement nodes = database.prepare(
        "SELECT s.ordinal, coalesce(n.last_ordinal, s.ordinal), n.op IN ('Parameter', 'Constant', 'Return'), n.bytes, "
        "n.flops FROM stage s JOIN node n ON n.stage_id = s.id WHERE s.graph_id = ? AND n.parent_id IS NULL");
    nodes.bind(1, graph_id);
    while (nodes.step()) {
        for (StageCost* change : {&begin[nodes.integer(0)], &end[nodes.integer(1)]}) {
            change->ops += nodes.integer(2) != 0 ? 0 : 1;
            change->bytes += nodes.integer(3);
            change->flops += nodes.integer(4);
        }
    }
    StageCost live;
    std::vector<StageCost> all;
    for (const auto& [ordinal, cost] : costs) {
        const StageCost& born = begin[ordinal];
        live.ordinal = ordinal;
        live.ops += born.ops;
        live.bytes += born.bytes;
        live.flops += born.flops;
        all.push_back(live);
        const StageCost& gone = end[ordinal];
        live.ops -= gone.ops;
        live.bytes -= gone.bytes;
        live.flops -= gone.flops;
    }
    return all;
}

}  // namespace fusescope::query
