// The scopes of one stage as a tree: phase, then Cell path or functions, then nodes; fused kernels hold their members.
// Built once per stage off the GUI thread; which of its scopes are open is decided later.
#pragma once

#include <QHash>
#include <QString>
#include <QVector>
#include <memory>

#include "gui/graph/graph_data.hpp"

namespace fusescope::gui {

/// What the scopes are made of.
enum class Grouping {
    Cells,      ///< Cell path: "Default/net-Net/fc-Dense"
    Functions,  ///< functions of the program: "train_step/forward"
    None        ///< only fused kernels, and parts where a level would be too long
};

struct TreeOptions {
    Grouping grouping = Grouping::Cells;
    bool hideConstants = false;
    bool hideParameters = false;

    bool operator==(const TreeOptions&) const = default;
};

/// A scope, or a node; a node with a region is both.
struct TreeItem {
    QString key;  ///< stable name, the same in all stages for scopes: "scope:forward/net", "node:7", "part:…"
    QString title;
    QString path;           ///< of a scope, in full
    qint64 node = 0;        ///< 0 for a scope
    int parent = -1;        ///< position of the item around it, -1 at the top
    QVector<int> children;  ///< in the order of the stage
    int count = 0;          ///< nodes inside, itself not counted
};

struct ScopeTree {
    std::shared_ptr<const GraphData> data;
    TreeOptions options;
    QVector<TreeItem> items;
    QVector<int> roots;
    QHash<qint64, int> itemOf;  ///< node id to its item; hidden nodes have none
    QHash<QString, int> byKey;
    QVector<QPair<int, int>> edges;  ///< items that data->edges join, in their order; -1 for a hidden node
    QHash<qint64, QString> inlined;  ///< values of hidden small constants, by the node that reads them: "0.9"
    int hiddenConstants = 0;
    int hiddenParameters = 0;
    bool grouped = false;  ///< it has scopes beside fused kernels

    const QVector<int>& childrenOf(int item) const { return item < 0 ? roots : items[item].children; }
};

/// A level longer than this is cut into parts; Graphviz takes longer than linear time.
inline constexpr int kBoxLimit = 300;

std::shared_ptr<const ScopeTree> makeScopeTree(std::shared_ptr<const GraphData> data, const TreeOptions& options = {},
                                               int limit = kBoxLimit);

}  // namespace fusescope::gui
