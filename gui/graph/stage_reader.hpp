// From rows of profiler/query to what the graph is drawn from. Worker threads only.
#pragma once

#include <memory>
#include <utility>

#include "gui/graph/graph_colors.hpp"
#include "gui/graph/stage_diff.hpp"

namespace fusescope {
class Database;
}

namespace fusescope::gui {

std::shared_ptr<GraphData> readStage(Database& database, qint64 stage);

/// Both stages with what became of the nodes of each in the other.
std::pair<GraphData, GraphData> readMarked(Database& database, qint64 graph, qint64 earlier, qint64 later);

/// Both stages as one graph.
std::shared_ptr<GraphData> readMerged(Database& database, qint64 graph, qint64 earlier, qint64 later);

/// What is known of two stages beside what they hold.
struct StageFacts {
    GraphFacts earlier, later;             ///< with what became of their nodes in the other
    QVector<QPair<qint64, qint64>> pairs;  ///< nodes of the earlier stage, and what they became in the later
};

/// What the run says about the nodes of both; for stages before the last, by way of what its nodes became.
StageFacts readFacts(Database& database, qint64 graph, qint64 earlier, qint64 later, qint64 lastStage);

}  // namespace fusescope::gui
