// One stage of a graph as the window draws it: plain values, filled from profiler/query by stage_reader.
#pragma once

#include <QHash>
#include <QString>
#include <QVector>

namespace fusescope::gui {

/// What became of a node from one stage to another.
enum class Change {
    None,     ///< the very same node in both
    Changed,  ///< rewritten into one other node
    Fused,    ///< went into a kernel together with others, or is that kernel
    Added,    ///< only in the later stage
    Removed   ///< only in the earlier stage
};

struct GraphNode {
    qint64 id = 0;
    QString name;
    QString op;
    QString dtype;
    QString shape;
    QString scope;
    qint64 parent = 0;   ///< node whose region holds this one, 0 at the top level
    QString value = {};  ///< of a small constant, as text
    QString phase = {};  ///< "forward", "backward", "optimizer", "input"; "" when unknown
    QString calls = {};  ///< functions on the way to its line: "train_step/forward"
    qint64 bytes = 0;    ///< memory traffic of one run
    qint64 flops = 0;
    Change change = Change::None;  ///< against the other stage that is shown
    QString note = {};             ///< why it changed, when that is known
};

struct GraphEdge {
    qint64 source = 0;
    int sourceOutput = 0;
    qint64 target = 0;
    int targetInput = 0;
};

struct GraphData {
    qint64 stage = 0;
    QVector<GraphNode> nodes;
    QVector<GraphEdge> edges;
    QHash<qint64, int> indexOf;             ///< node id to position in nodes
    QHash<qint64, QVector<int>> membersOf;  ///< region holder's id to positions of the nodes in its region
    bool merged = false;                    ///< two stages in one: members of kernels are the nodes they came from

    /// Fills indexOf and membersOf; a parent that is not in the stage counts as none.
    void index();
    const GraphNode* find(qint64 id) const;
    /// "Add · Mul · ReLU": the ops of a region in order, inputs, constants and returns left out.
    QString memberOps(qint64 id) const;
    /// "Float32 (2, 3)" of one output, "" when unknown.
    static QString typeOf(const GraphNode& node, int output);
};

/// Inputs, parameters and constants: nodes that compute nothing.
bool isLeafOp(const QString& op);

}  // namespace fusescope::gui
