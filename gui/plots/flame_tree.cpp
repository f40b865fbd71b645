#include "gui/plots/flame_tree.hpp"

#include <QFileInfo>
#include <algorithm>

namespace fusescope::gui {

namespace {

FlameBox boxOf(const query::TimeNode& node) {
    FlameBox box;
    box.total = node.total_ns;
    box.calls = node.calls;
    const QString name = QString::fromStdString(node.name);
    switch (node.what) {
        case query::TimeNode::What::line: {
            const QString path = QString::fromStdString(node.path);
            const QString place = QStringLiteral("%1:%2").arg(QFileInfo(path).fileName()).arg(node.line);
            box.label = name.isEmpty() || name == QStringLiteral("<module>")
                            ? place
                            : QStringLiteral("%1  %2").arg(name, place);
            box.detail = QStringLiteral("%1:%2").arg(path).arg(node.line);
            if (node.id != 0) {
                box.target = Selection::sourceLine(node.id, static_cast<int>(node.line));
            }
            break;
        }
        case query::TimeNode::What::scope:
            box.label = name;
            box.detail = QString::fromStdString(node.path);
            if (node.id != 0) {
                box.target = Selection::scope(node.id);
            }
            break;
        case query::TimeNode::What::op:
            box.label = name;
            box.op = true;
            box.target = Selection::opKind(node.id);
            break;
    }
    return box;
}

}  // namespace

FlameTree flameTree(const query::TimeTree& tree) {
    FlameTree made;
    made.modelled = tree.clock == Clock::modelled;
    QVector<QVector<int>> children(static_cast<qsizetype>(tree.nodes.size()));
    QVector<int> outermost;
    const auto total = [&tree](int node) { return tree.nodes[static_cast<size_t>(node)].total_ns; };
    for (int i = 0; i < children.size(); ++i) {
        const int parent = tree.nodes[static_cast<size_t>(i)].parent;
        (parent < 0 ? outermost : children[parent]).push_back(i);
    }
    // Level by level, so that the children of a box are neighbours.
    const auto place = [&](QVector<int>& nodes, int parent, int depth, qint64 begin, QVector<int>& next) {
        std::stable_sort(nodes.begin(), nodes.end(), [&total](int a, int b) { return total(a) > total(b); });
        for (const int node : std::as_const(nodes)) {
            FlameBox box = boxOf(tree.nodes[static_cast<size_t>(node)]);
            box.parent = parent;
            box.depth = depth;
            box.begin = begin;
            begin += box.total;
            made.depth = std::max(made.depth, depth + 1);
            made.boxes.push_back(std::move(box));
            next.push_back(node);
        }
    };
    QVector<int> nodeOf;  // of each box
    place(outermost, -1, 0, 0, nodeOf);
    made.outermost = static_cast<int>(made.boxes.size());
    for (const auto& box : std::as_const(made.boxes)) {
        made.total += box.total;
    }
    for (int i = 0; i < made.boxes.size(); ++i) {
        const int first = static_cast<int>(made.boxes.size());
        place(children[nodeOf[i]], i, made.boxes[i].depth + 1, made.boxes[i].begin, nodeOf);
        made.boxes[i].firstChild = first;
        made.boxes[i].childCount = static_cast<int>(made.boxes.size()) - first;
    }
    return made;
}

}  // namespace fusescope::gui
