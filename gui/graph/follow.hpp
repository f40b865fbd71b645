// Where the values of a node come from and where they go, through the whole stage.
#pragma once

#include <QSet>

#include "gui/graph/graph_data.hpp"

namespace fusescope::gui {

enum class Follow { None, Up, Down, Both };

/// The nodes on the way, the node itself among them; empty for Follow::None. A node inside a kernel is followed inside
/// it and, from the kernel on, outside.
QSet<qint64> followed(const GraphData& data, qint64 node, Follow direction);

/// Nodes that feed the node (`up`) or read it, in the order of their inputs; of the kernel when it has none inside it.
QVector<qint64> neighbours(const GraphData& data, qint64 node, bool up);

}  // namespace fusescope::gui
