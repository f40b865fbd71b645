// How much work is a graph at each of its stages?
#pragma once

#include <vector>

#include "profiler/query/common.hpp"

namespace fusescope::query {

/// Over the top level of the graph: the inside of a fused kernel or a branch is part of its node.
struct StageCost {
    std::int64_t ordinal = 0;
    std::int64_t ops = 0;    ///< nodes that compute: neither Parameter, Constant nor Return
    std::int64_t bytes = 0;  ///< memory traffic of one run
    std::int64_t flops = 0;
};

/// One row per stage, in order. Reads each node of the graph once, however many stages it lives through.
std::vector<StageCost> stage_costs(Database& database, std::int64_t graph_id);

}  // namespace fusescope::query
