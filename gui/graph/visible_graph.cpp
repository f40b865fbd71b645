// Folding a stage into at most a few hundred boxes per level.
#include "gui/graph/visible_graph.hpp"

#include <QCoreApplication>
#include <QMap>
#include <QStringList>
#include <algorithm>

namespace fusescope::gui {

namespace {

QString prefixOf(const QString& scope, int depth) { return depth <= 0 ? QString() : scope.section('/', 0, depth - 1); }

class Folder {
    Q_DECLARE_TR_FUNCTIONS(Folder)

 public:
    Folder(const GraphData& data, const QSet<QString>& expanded, int limit)
        : data_(data), expanded_(expanded), limit_(std::max(limit, 2)) {}

    VisibleGraph run() {
        result_.stage = data_.stage;
        result_.nodeCount = static_cast<int>(data_.nodes.size());
        QVector<int> top;
        for (int i = 0; i < data_.nodes.size(); ++i) {
            if (data_.nodes[i].parent == 0) {
                top.push_back(i);
            }
        }
        result_.grouped = top.size() > limit_;
        addLevel(top, -1, 0, QStringLiteral("top"));
        addEdges();
        return std::move(result_);
    }

 private:
    // Adds nodes as boxes when they are few; else groups them by the deepest scope prefix that gives few enough groups,
    // and what has no scope by position.
    void addLevel(const QVector<int>& nodes, int parent, int depth, const QString& where) {
        if (nodes.size() <= limit_) {
            for (const int node : nodes) {
                addNode(node, parent);
            }
            return;
        }
        QMap<QString, QVector<int>> groups;
        for (int d = depth + 1; d <= depth + 16; ++d) {
            QMap<QString, QVector<int>> finer;
            for (const int node : nodes) {
                finer[prefixOf(data_.nodes[node].scope, d)].push_back(node);
            }
            if (finer.size() > limit_) {
                break;
            }
            // A prefix that all nodes share tells nothing: go on to where they part.
            if (finer.size() > groups.size()) {
                groups = std::move(finer);
                groupDepth_ = d;
            }
        }
        if (groups.size() <= 1) {
            addParts(nodes, parent, where);
            return;
        }
        const int depthHere = groupDepth_;
        for (auto it = groups.cbegin(); it != groups.cend(); ++it) {
            if (it.value().size() == 1) {
                addNode(it.value().front(), parent);
                continue;
            }
            const QString title = it.key().isEmpty() ? tr("(no scope)") : it.key().section('/', -1);
            addGroup(QStringLiteral("scope:%1").arg(it.key()), title, it.key(), it.value(), parent, depthHere);
        }
    }

    void addParts(const QVector<int>& nodes, int parent, const QString& where) {
        const int size = std::max<int>(limit_ / 2, static_cast<int>((nodes.size() + limit_ - 1) / limit_));
        for (int begin = 0; begin < nodes.size(); begin += size) {
            const auto part = nodes.mid(begin, size);
            addGroup(QStringLiteral("part:%1:%2").arg(where).arg(begin),
                     tr("nodes %1–%2").arg(begin + 1).arg(begin + part.size()), QString(), part, parent, 64);
        }
    }

    void addGroup(const QString& key, const QString& title, const QString& subtitle, const QVector<int>& nodes,
                  int parent, int depth) {
        VisibleBox box;
        box.key = key;
        box.title = title;
        const QString count = tr("%L1 nodes").arg(nodes.size());
        box.subtitle = subtitle.isEmpty() || subtitle == title ? count : subtitle + QStringLiteral(" · ") + count;
        box.parent = parent;
        box.expandable = true;
        box.expanded = expanded_.contains(key);
        box.hidden = box.expanded ? 0 : static_cast<int>(nodes.size());
        const int index = push(box);
        if (box.expanded) {
            addLevel(nodes, index, depth, key);
        } else {
            for (const int node : nodes) {
                hide(node, index);
            }
        }
    }

    void addNode(int position, int parent) {
        const GraphNode& node = data_.nodes[position];
        const QVector<int> members = data_.membersOf.value(node.id);
        VisibleBox box;
        box.key = QStringLiteral("node:%1").arg(node.id);
        box.node = node.id;
        box.parent = parent;
        box.leaf = isLeafOp(node.op);
        box.title = !box.leaf ? node.op : node.value.isEmpty() ? node.name : node.value;
        box.expandable = !members.isEmpty();
        box.expanded = box.expandable && expanded_.contains(box.key);
        box.hidden = box.expanded ? 0 : static_cast<int>(members.size());
        box.subtitle = GraphData::typeOf(node, 0);
        if (box.expandable) {
            const QString ops = data_.memberOps(node.id);
            if (!ops.isEmpty()) {
                box.subtitle = ops;
            }
        }
        const int index = push(box);
        result_.boxOf.insert(node.id, index);
        if (box.expanded) {
            addLevel(members, index, 0, box.key);
        } else {
            for (const int member : members) {
                hide(member, index);
            }
        }
    }

    void hide(int position, int box) {
        const qint64 id = data_.nodes[position].id;
        if (result_.boxOf.contains(id)) {
            return;  // a damaged profile could hold a cycle of parents
        }
        result_.boxOf.insert(id, box);
        for (const int member : data_.membersOf.value(id)) {
            hide(member, box);
        }
    }

    int push(const VisibleBox& box) {
        result_.boxes.push_back(box);
        return static_cast<int>(result_.boxes.size()) - 1;
    }

    // An opened box is drawn as a frame: what flows into it goes to the region's own parameter when it has one, what
    // flows out comes from its last node.
    int enter(int box, int input) const {
        while (box >= 0 && result_.boxes[box].expanded && result_.boxes[box].node != 0) {
            int nth = 0, chosen = -1, first = -1;
            for (int i = box + 1; i < result_.boxes.size(); ++i) {
                if (result_.boxes[i].parent != box) {
                    continue;
                }
                first = first < 0 ? i : first;
                if (result_.boxes[i].leaf && nth++ == input) {
                    chosen = i;
                    break;
                }
            }
            box = chosen >= 0 ? chosen : first;
            input = 0;
        }
        return box;
    }

    int leave(int box) const {
        while (box >= 0 && result_.boxes[box].expanded && result_.boxes[box].node != 0) {
            int last = -1;
            for (int i = box + 1; i < result_.boxes.size(); ++i) {
                last = result_.boxes[i].parent == box ? i : last;
            }
            box = last;
        }
        return box;
    }

    void addEdges() {
        QHash<QPair<int, int>, int> known;
        for (const auto& edge : data_.edges) {
            if (!result_.boxOf.contains(edge.source) || !result_.boxOf.contains(edge.target)) {
                continue;
            }
            const int sourceBox = result_.boxOf.value(edge.source);
            const int targetBox = result_.boxOf.value(edge.target);
            if (sourceBox == targetBox) {
                continue;
            }
            const int source = leave(sourceBox);
            const int target = enter(targetBox, edge.targetInput);
            if (source < 0 || target < 0 || source == target) {
                continue;
            }
            const QString type = GraphData::typeOf(*data_.find(edge.source), edge.sourceOutput);
            const auto it = known.constFind({source, target});
            if (it == known.constEnd()) {
                known.insert({source, target}, static_cast<int>(result_.edges.size()));
                result_.edges.push_back({source, target, 1, type});
            } else {
                auto& same = result_.edges[it.value()];
                ++same.count;
                if (same.type != type) {
                    same.type.clear();
                }
            }
        }
    }

    const GraphData& data_;
    const QSet<QString>& expanded_;
    const int limit_;
    int groupDepth_ = 0;
    VisibleGraph result_;
};

}  // namespace

VisibleGraph makeVisible(const GraphData& data, const QSet<QString>& expanded, int limit) {
    return Folder(data, expanded, limit).run();
}

QSet<QString> keysAround(const GraphData& data, const QSet<QString>& expanded, qint64 node, int limit) {
    QSet<QString> open = expanded;
    const QString own = QStringLiteral("node:%1").arg(node);
    // Each round opens the box that hides the node; the nesting of scopes and regions bounds the rounds.
    for (int round = 0; round < 64; ++round) {
        const VisibleGraph visible = makeVisible(data, open, limit);
        const auto it = visible.boxOf.constFind(node);
        if (it == visible.boxOf.constEnd() || visible.boxes[it.value()].key == own) {
            break;
        }
        open.insert(visible.boxes[it.value()].key);
    }
    return open;
}

}  // namespace fusescope::gui
