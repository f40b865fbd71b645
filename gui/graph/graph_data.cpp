// Look-ups over the nodes of one stage.
#include "gui/graph/graph_data.hpp"

#include <QStringList>

namespace fusescope::gui {

void GraphData::index() {
    indexOf.clear();
    membersOf.clear();
    for (int i = 0; i < nodes.size(); ++i) {
        indexOf.insert(nodes[i].id, i);
    }
    for (int i = 0; i < nodes.size(); ++i) {
        auto& node = nodes[i];
        if (node.parent == node.id || !indexOf.contains(node.parent)) {
            node.parent = 0;
        }
        if (node.parent != 0) {
            membersOf[node.parent].push_back(i);
        }
    }
}

const GraphNode* GraphData::find(qint64 id) const {
    const auto it = indexOf.constFind(id);
    return it == indexOf.constEnd() ? nullptr : &nodes[it.value()];
}

QString GraphData::memberOps(qint64 id) const {
    QStringList ops;
    for (const int member : membersOf.value(id)) {
        const QString& op = nodes[member].op;
        if (!isLeafOp(op) && op != "Return") {
            ops.push_back(op);
        }
    }
    return ops.join(QStringLiteral(" · "));
}

QString GraphData::typeOf(const GraphNode& node, int output) {
    const QStringList dtypes = node.dtype.split(';');
    const QStringList shapes = node.shape.split(';');
    QString type = output < dtypes.size() ? dtypes[output].trimmed() : QString();
    const QString shape = output < shapes.size() ? shapes[output].trimmed() : QString();
    if (!shape.isEmpty()) {
        type += type.isEmpty() ? shape : QStringLiteral(" ") + shape;
    }
    return type;
}

bool isLeafOp(const QString& op) { return op == "Parameter" || op == "Constant" || op == "Input"; }

}  // namespace fusescope::gui
