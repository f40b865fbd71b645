// From the tree and the set of open items to boxes, edges and links.
#include "gui/graph/visible_graph.hpp"

#include <QCoreApplication>
#include <QMap>
#include <QStringList>
#include <algorithm>

namespace fusescope::gui {

namespace {

// An edge that runs past more ranks than this becomes a link; fewer where a level has many long ones.
constexpr int kFarRanks = 8;
constexpr int kFarRanksCrowded = 3;
constexpr int kStartBoxes = 48;
constexpr int kStartBoxesMerged = 120;
constexpr int kCrowded = 8;  // long edges in one level

class Unfolder {
    Q_DECLARE_TR_FUNCTIONS(Unfolder)

 public:
    Unfolder(const std::shared_ptr<const ScopeTree>& tree, const QSet<QString>& expanded)
        : tree_(*tree), data_(*tree->data), expanded_(expanded) {
        result_.tree = tree;
        result_.stage = data_.stage;
        result_.boxOfItem.fill(-1, tree_.items.size());
    }

    VisibleGraph run() {
        addLevel(-1, -1);
        for (int i = 0; i < tree_.items.size(); ++i) {
            if (result_.boxOfItem[i] < 0 && tree_.items[i].parent >= 0) {
                result_.boxOfItem[i] = result_.boxOfItem[tree_.items[i].parent];
            }
        }
        describeScopes();
        addEdges();
        for (auto it = levels_.begin(); it != levels_.end(); ++it) {
            farEdgesToLinks(it.value());
        }
        for (const VisibleEdge& link : std::as_const(result_.links)) {
            ++result_.boxes[link.source].linksOut;
            ++result_.boxes[link.target].linksIn;
        }
        return std::move(result_);
    }

 private:
    void addLevel(int item, int parent) {
        for (const int child : tree_.childrenOf(item)) {
            const int box = addBox(child, parent);
            if (result_.boxes[box].expanded) {
                addLevel(child, box);
            }
        }
    }

    int addBox(int index, int parent) {
        const TreeItem& item = tree_.items[index];
        VisibleBox box;
        box.key = item.key;
        box.title = item.title;
        box.node = item.node;
        box.item = index;
        box.parent = parent;
        box.expandable = !item.children.isEmpty();
        box.expanded = box.expandable && expanded_.contains(item.key);
        box.hidden = box.expanded ? 0 : item.count;
        if (item.node != 0) {
            const GraphNode& node = *data_.find(item.node);
            box.leaf = isLeafOp(node.op);
            box.title = !box.leaf ? node.op : node.value.isEmpty() ? node.name : node.value;
            box.subtitle = GraphData::typeOf(node, 0);
            if (const QString ops = box.expandable ? data_.memberOps(node.id) : QString(); !ops.isEmpty()) {
                box.subtitle = ops;
            } else if (const QString values = tree_.inlined.value(node.id); !values.isEmpty()) {
                box.subtitle += QStringLiteral(" · ") + values;
            }
        }
        result_.boxOfItem[index] = static_cast<int>(result_.boxes.size());
        result_.boxes.push_back(box);
        return result_.boxOfItem[index];
    }

    // "12 nodes · MatMul 4 · Add 3" of closed scopes.
    void describeScopes() {
        QHash<int, QHash<QString, int>> ops;
        for (int i = 0; i < tree_.items.size(); ++i) {
            const int box = result_.boxOfItem[i];
            if (tree_.items[i].node == 0 || box < 0 || result_.boxes[box].node != 0) {
                continue;
            }
            const QString& op = tree_.items[i].title;
            if (!isLeafOp(op) && tree_.items[tree_.items[i].parent].node == 0) {
                ++ops[box][op];
            }
        }
        for (int i = 0; i < result_.boxes.size(); ++i) {
            VisibleBox& box = result_.boxes[i];
            if (box.node != 0) {
                continue;
            }
            QStringList words{tr("%L1 nodes").arg(tree_.items[box.item].count)};
            QVector<QPair<int, QString>> most;
            const auto counts = ops.value(i);
            for (auto it = counts.cbegin(); it != counts.cend(); ++it) {
                most.push_back({-it.value(), it.key()});
            }
            std::sort(most.begin(), most.end());
            for (int k = 0; k < std::min<int>(2, static_cast<int>(most.size())); ++k) {
                words << QStringLiteral("%1 %2").arg(most[k].second).arg(-most[k].first);
            }
            box.subtitle = words.join(QStringLiteral(" · "));
        }
    }

    int depthOf(int box) const {
        int depth = 0;
        for (; box >= 0; box = result_.boxes[box].parent) {
            ++depth;
        }
        return depth;
    }

    struct Joined {
        QHash<QPair<int, int>, int> known;
        QVector<VisibleEdge>* into;

        void add(int source, int target, const QString& type) {
            const auto it = known.constFind({source, target});
            if (it == known.constEnd()) {
                known.insert({source, target}, static_cast<int>(into->size()));
                into->push_back({source, target, 1, type});
                return;
            }
            VisibleEdge& same = (*into)[it.value()];
            ++same.count;
            if (same.type != type) {
                same.type.clear();
            }
        }
    };

    void addEdges() {
        QVector<VisibleEdge> edges;
        Joined joined{{}, &edges};
        Joined links{{}, &result_.links};
        for (int i = 0; i < tree_.edges.size(); ++i) {
            const auto [from, to] = tree_.edges[i];
            if (from < 0 || to < 0) {
                continue;
            }
            const int source = result_.boxOfItem[from];
            const int target = result_.boxOfItem[to];
            if (source < 0 || target < 0 || source == target) {
                continue;
            }
            int a = source, b = target;
            int deepA = depthOf(a), deepB = depthOf(b);
            while (a != b && result_.boxes[a].parent != result_.boxes[b].parent) {
                if (deepA >= deepB) {
                    a = result_.boxes[a].parent;
                    --deepA;
                } else {
                    b = result_.boxes[b].parent;
                    --deepB;
                }
                if (a < 0 || b < 0) {
                    break;
                }
            }
            const GraphEdge& edge = data_.edges[i];
            const QString type = GraphData::typeOf(data_.nodes[data_.indexOf.value(edge.source)], edge.sourceOutput);
            if (a != b && a >= 0 && b >= 0) {
                joined.add(a, b, type);
            }
            if (a != source || b != target) {
                links.add(source, target, type);
            }
        }
        for (const VisibleEdge& edge : std::as_const(edges)) {
            levels_[result_.boxes[edge.source].parent].push_back(edge);
        }
    }

    // Ranks as Graphviz will give them, near enough: longest path from the sources, and sources next to their readers.
    QHash<int, int> ranksOf(const QVector<VisibleEdge>& edges) const {
        QHash<int, int> waiting;
        QHash<int, QVector<int>> readers;
        for (const VisibleEdge& edge : edges) {
            waiting[edge.source] += 0;
            ++waiting[edge.target];
            readers[edge.source].push_back(edge.target);
        }
        QList<int> all = waiting.keys();
        std::sort(all.begin(), all.end());
        QHash<int, int> rank;
        QVector<int> ready;
        QSet<int> done;
        for (const int box : std::as_const(all)) {
            if (waiting[box] == 0) {
                ready.push_back(box);
            }
        }
        const bool anySource = !ready.isEmpty();
        qsizetype next = 0;
        while (done.size() < all.size()) {
            if (ready.isEmpty()) {
                // A circle: scopes may feed each other. Its first box goes first.
                while (done.contains(all[next])) {
                    ++next;
                }
                ready.push_back(all[next]);
            }
            const int box = ready.takeLast();
            if (done.contains(box)) {
                continue;
            }
            done.insert(box);
            for (const int reader : std::as_const(readers[box])) {
                if (!done.contains(reader)) {
                    rank[reader] = std::max(rank.value(reader), rank.value(box) + 1);
                    if (--waiting[reader] == 0) {
                        ready.push_back(reader);
                    }
                }
            }
        }
        QSet<int> targets;
        for (const VisibleEdge& edge : edges) {
            targets.insert(edge.target);
        }
        for (const int box : std::as_const(all)) {
            if (anySource && !targets.contains(box)) {
                int nearest = -1;
                for (const int reader : std::as_const(readers[box])) {
                    nearest = nearest < 0 ? rank.value(reader) : std::min(nearest, rank.value(reader));
                }
                rank[box] = std::max(0, nearest - 1);
            }
        }
        return rank;
    }

    void farEdgesToLinks(const QVector<VisibleEdge>& edges) {
        const QHash<int, int> rank = ranksOf(edges);
        const auto span = [&rank](const VisibleEdge& edge) {
            return std::abs(rank.value(edge.target) - rank.value(edge.source));
        };
        QHash<int, int> shortestOut, shortestIn;
        int longOnes = 0;
        for (const VisibleEdge& edge : edges) {
            const int length = span(edge);
            longOnes += length > kFarRanksCrowded;
            shortestOut[edge.source] = std::min(shortestOut.value(edge.source, length), length);
            shortestIn[edge.target] = std::min(shortestIn.value(edge.target, length), length);
        }
        const int far = longOnes > kCrowded ? kFarRanksCrowded : kFarRanks;
        for (const VisibleEdge& edge : edges) {
            const int length = span(edge);
            // Neither end may be left without any edge of that direction.
            const bool spare = shortestOut[edge.source] < length && shortestIn[edge.target] < length;
            (length > far && spare ? result_.links : result_.edges).push_back(edge);
        }
    }

    const ScopeTree& tree_;
    const GraphData& data_;
    const QSet<QString>& expanded_;
    QMap<int, QVector<VisibleEdge>> levels_;  // by the box around
    VisibleGraph result_;
};

}  // namespace

int VisibleGraph::boxOf(qint64 node) const {
    const int item = tree ? tree->itemOf.value(node, -1) : -1;
    return item < 0 ? -1 : boxOfItem[item];
}

int VisibleGraph::boxOfKey(const QString& key) const {
    const int item = tree ? tree->byKey.value(key, -1) : -1;
    const int box = item < 0 ? -1 : boxOfItem[item];
    return box >= 0 && boxes[box].item == item ? box : -1;
}

VisibleGraph makeVisible(const std::shared_ptr<const ScopeTree>& tree, const QSet<QString>& expanded) {
    return Unfolder(tree, expanded).run();
}

QSet<QString> startKeys(const ScopeTree& tree) {
    const int budget = tree.data->merged ? kStartBoxesMerged : kStartBoxes;
    QSet<QString> keys;
    int seen = static_cast<int>(tree.roots.size());
    QVector<int> queue = tree.roots;
    for (qsizetype at = 0; at < queue.size(); ++at) {
        const TreeItem& item = tree.items[queue[at]];
        const int inside = static_cast<int>(item.children.size());
        const bool kernel = item.node != 0;
        const bool hull = kernel && tree.data->merged && tree.data->find(item.node)->change == Change::Fused;
        // A box that stands alone tells nothing: what is in it is seen at once, however long.
        const bool alone = tree.childrenOf(item.parent).size() == 1 && seen <= static_cast<int>(at) + 1;
        if (inside == 0 || (kernel && !hull) || (!alone && seen + inside > budget)) {
            continue;
        }
        keys.insert(item.key);
        seen += inside;
        queue += item.children;
    }
    return keys;
}

QSet<QString> keysAround(const ScopeTree& tree, const QSet<QString>& expanded, qint64 node) {
    QSet<QString> open = expanded;
    const int item = tree.itemOf.value(node, -1);
    for (int at = item < 0 ? -1 : tree.items[item].parent; at >= 0; at = tree.items[at].parent) {
        open.insert(tree.items[at].key);
    }
    return open;
}

}  // namespace fusescope::gui
