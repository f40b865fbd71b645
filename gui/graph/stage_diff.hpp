// What became of every node between two stages, and the two stages as one graph.
#pragma once

#include <QHash>
#include <QVector>

#include "gui/graph/graph_data.hpp"

namespace fusescope::gui {

/// How the nodes of a later stage hang together with those of an earlier one.
struct StageLinks {
    QHash<qint64, QVector<qint64>> origins;  ///< node of the later stage to the nodes it came from
    QHash<qint64, QString> reasons;          ///< why a node of the earlier stage was removed
};

/// Sets `change` and `note` of the nodes of both stages.
void markChanges(GraphData& lower, GraphData& upper, const StageLinks& links);

/// One graph of both: the later stage with the removed nodes of the earlier one, and each new kernel as a hull around
/// the nodes that went into it.
GraphData mergeStages(GraphData lower, GraphData upper, const StageLinks& links);

}  // namespace fusescope::gui
