// Builds items from a layout and keeps their marks and colours.
#include "gui/graph/graph_scene.hpp"

#include <QStringList>
#include <algorithm>

#include "gui/widgets/format.hpp"

namespace fusescope::gui {

GraphScene::GraphScene(QObject* parent) : QGraphicsScene(parent) {
    // Items are laid out once and only change colour, but a tree still has to be rebuilt on every stage.
    setItemIndexMethod(QGraphicsScene::BspTreeIndex);
}

void GraphScene::show(std::shared_ptr<const GraphData> data, const GraphLayout& layout) {
    clearAll();
    data_ = std::move(data);
    layout_ = layout;
    for (int i = 0; i < layout.graph.edges.size(); ++i) {
        auto* item = new EdgeItem(layout.graph.edges[i], layout.edges[i], layout.arrowTips[i], layout.arrowAngles[i]);
        addItem(item);
        edges_.push_back(item);
    }
    for (int i = 0; i < layout.graph.boxes.size(); ++i) {
        auto* item = new BoxItem(layout.graph.boxes[i], layout.boxes[i], i);
        item->setToolTip(toolTipOf(layout.graph.boxes[i]));
        addItem(item);
        boxes_.push_back(item);
    }
    recolor();
    const double margin = 2000;  // so that one can drag a corner of the graph to the middle of the view
    setSceneRect(layout.bounds.adjusted(-margin, -margin, margin, margin));
}

void GraphScene::clearAll() {
    clear();
    boxes_.clear();
    edges_.clear();
    layout_ = {};
    data_.reset();
}

void GraphScene::setColoring(GraphColoring coloring) {
    coloring_ = coloring;
    recolor();
}

void GraphScene::recolor() {
    double longest = 0;
    if (data_) {
        for (const auto& node : data_->nodes) {
            longest = std::max(longest, node.timeShare);
        }
    }
    for (BoxItem* item : std::as_const(boxes_)) {
        const GraphNode* node = data_ && item->box().node ? data_->find(item->box().node) : nullptr;
        const double share = node && node->timeShare >= 0 && longest > 0 ? node->timeShare / longest : -1;
        const QString kind = node ? node->op : item->box().title.section('-', -1);
        item->setColoring(coloring_, item->box().leaf || kind == "Return" ? QString() : kind, share,
                          node && node->modelled);
    }
}

void GraphScene::setMarks(qint64 selected, const QSet<qint64>& related) {
    const auto& visible = layout_.graph;
    QSet<int> relatedBoxes;
    for (const qint64 node : related) {
        const auto it = visible.boxOf.constFind(node);
        if (it != visible.boxOf.constEnd()) {
            relatedBoxes.insert(it.value());
        }
    }
    const int selectedBox = selected ? visible.boxOf.value(selected, -1) : -1;
    for (int i = 0; i < boxes_.size(); ++i) {
        // Inside an opened box its members are lit, not the frame.
        const bool lit = relatedBoxes.contains(i) && !(boxes_[i]->box().expanded && relatedBoxes.size() > 1);
        boxes_[i]->setMark(i == selectedBox ? BoxItem::Mark::Selected
                           : lit            ? BoxItem::Mark::Related
                                            : BoxItem::Mark::None);
    }
    for (EdgeItem* edge : std::as_const(edges_)) {
        edge->setLit(selectedBox >= 0 && (edge->edge().source == selectedBox || edge->edge().target == selectedBox));
    }
}

BoxItem* GraphScene::boxOf(qint64 node) const {
    const int index = layout_.graph.boxOf.value(node, -1);
    return index >= 0 && index < boxes_.size() ? boxes_[index] : nullptr;
}

BoxItem* GraphScene::boxAt(const QPointF& point, const QTransform& transform) const {
    BoxItem* frame = nullptr;
    for (QGraphicsItem* item : items(point, Qt::IntersectsItemBoundingRect, Qt::DescendingOrder, transform)) {
        auto* box = dynamic_cast<BoxItem*>(item);
        if (!box || !box->rect().contains(point)) {
            continue;
        }
        if (!box->box().expanded) {
            return box;
        }
        frame = frame ? frame : box;
    }
    return frame;
}

QVector<qint64> GraphScene::matches(const QString& text) const {
    QVector<qint64> found;
    if (!data_ || text.isEmpty()) {
        return found;
    }
    for (const auto& node : data_->nodes) {
        if (node.op.contains(text, Qt::CaseInsensitive) || node.name.contains(text, Qt::CaseInsensitive) ||
            node.scope.contains(text, Qt::CaseInsensitive)) {
            found.push_back(node.id);
        }
    }
    return found;
}

QString GraphScene::toolTipOf(const VisibleBox& box) const {
    const GraphNode* node = box.node ? data_->find(box.node) : nullptr;
    if (!node) {
        return tr("%1\n%2\nDouble-click to open").arg(box.title, box.subtitle);
    }
    QStringList lines{node->op == node->name ? node->op : node->op + QStringLiteral("  ") + node->name};
    if (!node->dtype.isEmpty() || !node->shape.isEmpty()) {
        lines << GraphData::typeOf(*node, 0);
    }
    if (!node->scope.isEmpty()) {
        lines << node->scope;
    }
    if (node->timeShare >= 0) {
        lines << tr("%1 of this graph's time%2")
                     .arg(percentText(node->timeShare), node->modelled ? tr(" (modelled)") : QString());
    }
    const QString members = data_->memberOps(node->id);
    if (!members.isEmpty()) {
        lines << tr("holds %1").arg(members) << tr("Double-click to open");
    }
    return lines.join('\n');
}

}  // namespace fusescope::gui
