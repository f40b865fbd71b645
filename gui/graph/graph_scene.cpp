// Builds items from a layout and keeps their marks and colours.
#include "gui/graph/graph_scene.hpp"

#include <QStringList>
#include <algorithm>

#include "gui/widgets/format.hpp"

namespace fusescope::gui {

namespace {

constexpr int kGlideMs = 170;
constexpr int kGlideItems = 400;  // more are put in place at once
constexpr double kDimmed = 0.22;
constexpr int kNamedLinks = 6;  // in a tip

// From the right port of one box to the left port of another, around what is between.
QPainterPath linkPath(const QRectF& source, bool sourceFrame, const QRectF& target, bool targetFrame) {
    const QPointF a(source.right() + 12, sourceFrame ? source.top() + 13 : source.center().y());
    const QPointF b(target.left() - 12, targetFrame ? target.top() + 13 : target.center().y());
    const double reach = std::clamp(std::abs(b.x() - a.x()) / 2 + std::abs(b.y() - a.y()) / 6, 30.0, 260.0);
    QPainterPath path(a);
    path.cubicTo(a + QPointF(reach, 0), b - QPointF(reach, 0), b);
    return path;
}

}  // namespace

GraphScene::GraphScene(QObject* parent) : QGraphicsScene(parent) {
    // Items are laid out once and only change colour, but a tree still has to be rebuilt on every stage.
    setItemIndexMethod(QGraphicsScene::BspTreeIndex);
    glide_.setDuration(kGlideMs);
    glide_.setStartValue(0.0);
    glide_.setEndValue(1.0);
    glide_.setEasingCurve(QEasingCurve::InOutCubic);
    connect(&glide_, &QVariantAnimation::valueChanged, this, [this](const QVariant& t) { glideTo(t.toDouble()); });
    connect(&glide_, &QVariantAnimation::finished, this, [this] {
        glideTo(1);
        showLinks();
    });
}

void GraphScene::show(const GraphLayout& layout, const QString& anchor, bool animated) {
    finishAnimation();
    QHash<QString, QRectF> before;
    for (const BoxItem* item : std::as_const(boxes_)) {
        before.insert(item->box().key, item->rect());
    }
    clearAll();
    layout_ = layout;
    if (const int box = layout_.graph.boxOfKey(anchor); box >= 0 && before.contains(anchor)) {
        const QRectF was = before.value(anchor);
        const QRectF now = layout_.boxes[box];
        layout_.translate(QPointF(was.center().x() - now.center().x(), was.top() - now.top()));
    }
    for (int i = 0; i < layout_.graph.edges.size(); ++i) {
        auto* item =
            new EdgeItem(layout_.graph.edges[i], layout_.edges[i], layout_.arrowTips[i], layout_.arrowAngles[i]);
        addItem(item);
        edges_.push_back(item);
    }
    for (int i = 0; i < layout_.graph.boxes.size(); ++i) {
        const VisibleBox& box = layout_.graph.boxes[i];
        auto* item = new BoxItem(box, layout_.boxes[i], i);
        item->setToolTip(toolTipOf(box));
        addItem(item);
        boxes_.push_back(item);
    }
    const double margin = 2000;  // so that one can drag a corner of the graph to the middle of the view
    setSceneRect(layout_.bounds.adjusted(-margin, -margin, margin, margin));
    recolor();
    applyMarks();
    if (!animated || before.isEmpty() || boxes_.size() > kGlideItems) {
        return;
    }
    from_.clear();
    for (int i = 0; i < boxes_.size(); ++i) {
        const VisibleBox& box = layout_.graph.boxes[i];
        QRectF from = before.value(box.key);
        if (from.isNull()) {
            // What is new comes out of the middle of the box that was opened.
            const QRectF around = box.parent >= 0 ? before.value(layout_.graph.boxes[box.parent].key) : QRectF();
            from = around.isNull()
                       ? layout_.boxes[i]
                       : QRectF(around.center() - QPointF(around.width() / 4, around.height() / 4), around.size() / 2);
        }
        from_.push_back(from);
    }
    glide_.start();
    glideTo(0);
}

void GraphScene::glideTo(double t) {
    if (from_.size() != boxes_.size()) {
        return;
    }
    const auto mix = [t](double a, double b) { return a + (b - a) * t; };
    for (int i = 0; i < boxes_.size(); ++i) {
        const QRectF &a = from_[i], &b = layout_.boxes[i];
        boxes_[i]->setRect(
            {mix(a.x(), b.x()), mix(a.y(), b.y()), mix(a.width(), b.width()), mix(a.height(), b.height())});
    }
    for (EdgeItem* edge : std::as_const(edges_)) {
        edge->setOpacity(t * t * t);
    }
    if (t >= 1) {
        from_.clear();
        applyMarks();
    }
}

void GraphScene::finishAnimation() {
    if (isAnimating()) {
        glide_.stop();
        glideTo(1);
    }
}

void GraphScene::clearAll() {
    glide_.stop();
    from_.clear();
    clear();
    boxes_.clear();
    edges_.clear();
    links_.clear();
    layout_ = {};
    emit repainted();
}

void GraphScene::setColoring(GraphColoring coloring) {
    coloring_ = coloring;
    recolor();
}

void GraphScene::setFacts(const GraphFacts& facts) {
    facts_ = facts;
    recolor();
    for (BoxItem* item : std::as_const(boxes_)) {
        item->setToolTip(toolTipOf(item->box()));
    }
}

void GraphScene::recolor() {
    const GraphColors colors(coloring_, layout_.graph, facts_);
    for (BoxItem* item : std::as_const(boxes_)) {
        item->setPaint(colors.paintOf(item->index()));
    }
    emit repainted();
}

GraphLegend GraphScene::legend() const { return GraphColors(coloring_, layout_.graph, facts_).legend(); }

void GraphScene::setMarks(qint64 selected, const QSet<qint64>& related) {
    if (selected != 0 && selected != selected_) {
        current_.clear();
    }
    selected_ = selected;
    related_ = related;
    followed_ = data() ? followed(*data(), selected_, follow_) : QSet<qint64>();
    applyMarks();
    showLinks();
}

void GraphScene::setFollow(Follow direction) {
    follow_ = direction;
    setMarks(selected_, QSet<qint64>(related_));
}

void GraphScene::setCurrent(const QString& key) {
    current_ = key;
    applyMarks();
}

void GraphScene::applyMarks() {
    const VisibleGraph& visible = layout_.graph;
    QSet<int> relatedBoxes, way;
    for (const qint64 node : std::as_const(related_)) {
        if (const int box = visible.boxOf(node); box >= 0) {
            relatedBoxes.insert(box);
        }
    }
    for (const qint64 node : std::as_const(followed_)) {
        for (int box = visible.boxOf(node); box >= 0; box = visible.boxes[box].parent) {
            way.insert(box);
        }
    }
    const int selectedBox = selected_ ? visible.boxOf(selected_) : -1;
    for (int i = 0; i < boxes_.size(); ++i) {
        // Inside an opened box its members are lit, not the frame.
        const bool lit = relatedBoxes.contains(i) && !(boxes_[i]->box().expanded && relatedBoxes.size() > 1);
        boxes_[i]->setMark(i == selectedBox ? BoxItem::Mark::Selected
                           : lit            ? BoxItem::Mark::Related
                                            : BoxItem::Mark::None);
        boxes_[i]->setCurrent(!current_.isEmpty() && boxes_[i]->box().key == current_);
        boxes_[i]->setOpacity(way.isEmpty() || way.contains(i) ? 1 : kDimmed);
    }
    for (EdgeItem* edge : std::as_const(edges_)) {
        const int source = edge->edge().source, target = edge->edge().target;
        const bool onWay = way.contains(source) && way.contains(target);
        edge->setLit(way.isEmpty() ? selectedBox >= 0 && (source == selectedBox || target == selectedBox) : onWay);
        if (from_.isEmpty()) {
            edge->setOpacity(way.isEmpty() || onWay ? 1 : kDimmed);
        }
    }
}

// Links are drawn for the selected box, and for the way that is followed.
void GraphScene::showLinks() {
    for (EdgeItem* link : std::as_const(links_)) {
        removeItem(link);
        delete link;
    }
    links_.clear();
    const VisibleGraph& visible = layout_.graph;
    const int selectedBox = selected_ ? visible.boxOf(selected_) : visible.boxOfKey(current_);
    QSet<int> way;
    for (const qint64 node : std::as_const(followed_)) {
        way.insert(visible.boxOf(node));
    }
    for (const VisibleEdge& link : visible.links) {
        const bool mine = selectedBox >= 0 && (link.source == selectedBox || link.target == selectedBox);
        if (way.isEmpty() ? !mine : !(way.contains(link.source) && way.contains(link.target))) {
            continue;
        }
        const QPainterPath path = linkPath(layout_.boxes[link.source], visible.boxes[link.source].expanded,
                                           layout_.boxes[link.target], visible.boxes[link.target].expanded);
        auto* item = new EdgeItem(link, path, path.currentPosition(), 0, EdgeItem::Kind::Link);
        item->setLit(true);
        addItem(item);
        links_.push_back(item);
    }
}

BoxItem* GraphScene::boxOf(qint64 node) const {
    const int index = layout_.graph.boxOf(node);
    return index >= 0 && index < boxes_.size() ? boxes_[index] : nullptr;
}

BoxItem* GraphScene::boxOfKey(const QString& key) const {
    const int index = layout_.graph.boxOfKey(key);
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
    if (!data() || text.isEmpty()) {
        return found;
    }
    for (const auto& node : data()->nodes) {
        if (node.op.contains(text, Qt::CaseInsensitive) || node.name.contains(text, Qt::CaseInsensitive) ||
            node.scope.contains(text, Qt::CaseInsensitive)) {
            found.push_back(node.id);
        }
    }
    return found;
}

QString GraphScene::toolTipOf(const VisibleBox& box) const {
    const VisibleGraph& graph = layout_.graph;
    QStringList lines;
    const GraphNode* node = box.node ? data()->find(box.node) : nullptr;
    if (!node) {
        lines << (graph.tree->items[box.item].path.isEmpty() ? box.title : graph.tree->items[box.item].path)
              << box.subtitle;
    } else {
        lines << (node->op == node->name ? node->op : node->op + QStringLiteral("  ") + node->name);
        if (!node->dtype.isEmpty() || !node->shape.isEmpty()) {
            lines << GraphData::typeOf(*node, 0);
        }
        if (!node->scope.isEmpty()) {
            lines << node->scope;
        }
        const NodeFacts facts = facts_.value(node->id);
        if (facts.timeShare >= 0) {
            const QString modelled = facts.modelled ? tr(" (modelled)") : QString();
            lines << (facts.ofKernel ? tr("in a kernel that takes %1 of this graph's time%2")
                                     : tr("%1 of this graph's time%2"))
                         .arg(percentText(facts.timeShare), modelled);
        }
        if (node->bytes > 0) {
            lines << tr("reads and writes %1").arg(bytesText(static_cast<double>(node->bytes)));
        }
        if (facts.nan > 0 || facts.inf > 0) {
            lines << tr("NaN: %1, Inf: %2").arg(integerText(facts.nan), integerText(facts.inf));
        }
        if (const Change change = changeOf(*node, facts_); change != Change::None) {
            const QString note = node->note.isEmpty() ? facts.note : node->note;
            lines << textOfChange(change) + (note.isEmpty() ? QString() : QStringLiteral(": ") + note);
        }
        const QString members = data()->memberOps(node->id);
        if (!members.isEmpty()) {
            lines << tr("holds %1").arg(members);
        }
    }
    if (box.linksOut + box.linksIn > 0) {
        const int own = graph.boxOfKey(box.key);
        QStringList to, from;
        for (const VisibleEdge& link : graph.links) {
            if (link.source == own || link.target == own) {
                (link.source == own ? to : from) << graph.boxes[link.source == own ? link.target : link.source].title;
            }
        }
        for (auto* list : {&to, &from}) {
            if (list->size() > kNamedLinks) {
                *list = list->mid(0, kNamedLinks) << QStringLiteral("…");
            }
        }
        if (!to.isEmpty()) {
            lines << tr("also read by %1").arg(to.join(QStringLiteral(", ")));
        }
        if (!from.isEmpty()) {
            lines << tr("also reads %1").arg(from.join(QStringLiteral(", ")));
        }
    }
    if (box.expandable) {
        lines << (box.expanded ? tr("Double-click to close") : tr("Double-click to open"));
    }
    return lines.join('\n');
}

}  // namespace fusescope::gui
