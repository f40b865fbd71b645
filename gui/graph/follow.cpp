#include "gui/graph/follow.hpp"

namespace fusescope::gui {

namespace {

void walk(const GraphData& data, const QHash<qint64, QVector<qint64>>& next, qint64 from, QSet<qint64>& seen) {
    QSet<qint64> here;
    QVector<qint64> queue{from};
    while (!queue.isEmpty()) {
        const qint64 id = queue.takeLast();
        if (here.contains(id)) {
            continue;
        }
        here.insert(id);
        queue += next.value(id);
        // What comes into a kernel, or goes out, belongs to what is in it.
        if (const GraphNode* node = data.find(id); node && node->parent != 0) {
            queue.push_back(node->parent);
        }
    }
    seen.unite(here);
}

}  // namespace

QSet<qint64> followed(const GraphData& data, qint64 node, Follow direction) {
    QSet<qint64> seen;
    if (direction == Follow::None || !data.find(node)) {
        return seen;
    }
    for (const bool up : {true, false}) {
        if (direction == (up ? Follow::Down : Follow::Up)) {
            continue;
        }
        QHash<qint64, QVector<qint64>> next;
        for (const GraphEdge& edge : data.edges) {
            if (up) {
                next[edge.target].push_back(edge.source);
            } else {
                next[edge.source].push_back(edge.target);
            }
        }
        walk(data, next, node, seen);
    }
    return seen;
}

QVector<qint64> neighbours(const GraphData& data, qint64 node, bool up) {
    QVector<qint64> found;
    const GraphNode* at = data.find(node);
    while (at && found.isEmpty()) {
        for (const GraphEdge& edge : data.edges) {
            if ((up ? edge.target : edge.source) == at->id) {
                const qint64 other = up ? edge.source : edge.target;
                if (!found.contains(other)) {
                    found.push_back(other);
                }
            }
        }
        at = at->parent != 0 ? data.find(at->parent) : nullptr;
    }
    return found;
}

}  // namespace fusescope::gui
