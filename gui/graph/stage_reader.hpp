// From rows of profiler/query to what the graph is drawn from. Worker threads only.
#pragma once

#include <memory>

#include "gui/graph/graph_colors.hpp"
#include "gui/graph/stage_diff.hpp"

namespace fusescope {
class Database;
}

namespace fusescope::gui {

std::shared_ptr<GraphData> readStage(Database& database, qint64 stage);

/// Both stages as one graph.
std::shared_ptr<GraphData> readMerged(Database& database, qint64 graph, qint64 earlier, qint64 later);

/// Adds to the facts of both stages what became of their nodes in the other.
void readChanges(Database& database, qint64 graph, qint64 earlier, qint64 later, GraphFacts facts[2]);

/// What the run says about the nodes of a stage; for stages before the last, by way of what its nodes became.
GraphFacts readFacts(Database& database, qint64 graph, qint64 stage, qint64 lastStage);

}  // namespace fusescope::gui
