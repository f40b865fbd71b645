#include "gui/graph/graph_sync.hpp"

#include <QSet>
#include <algorithm>

namespace fusescope::gui {

namespace {

constexpr int kAnchors = 4;  // counterparts that decide together, so that the other side glides and does not jump

struct Anchor {
    double distance = 0;  // squared, from the middle of the moved view
    QPointF here, there;
};

}  // namespace

GraphSync::GraphSync(GraphView& first, GraphView& second, QObject* parent) : QObject(parent), views_{&first, &second} {
    for (int i = 0; i < 2; ++i) {
        connect(views_[i], &GraphView::movedByUser, this,
                [this, i](double zoom) { followView(*views_[i], *views_[1 - i], zoom); });
    }
}

void GraphSync::followView(GraphView& moved, GraphView& other, double zoom) {
    if (!enabled_ || !other.isVisible()) {
        return;
    }
    const QPointF middle = moved.shownRect().center();
    const bool forward = &moved == views_[0];
    QVector<Anchor> near;
    QSet<QPair<int, int>> seen;
    for (const auto& pair : std::as_const(pairs_)) {
        const BoxItem* here = moved.graph().boxOf(forward ? pair.first : pair.second);
        const BoxItem* there = other.graph().boxOf(forward ? pair.second : pair.first);
        if (!here || !there || here->box().expanded || seen.contains({here->index(), there->index()})) {
            continue;
        }
        seen.insert({here->index(), there->index()});
        const QPointF off = here->rect().center() - middle;
        near.push_back({QPointF::dotProduct(off, off), here->rect().center(), there->rect().center()});
    }
    if (near.isEmpty()) {
        return;
    }
    const auto count = std::min<qsizetype>(kAnchors, near.size());
    std::partial_sort(near.begin(), near.begin() + count, near.end(),
                      [](const Anchor& a, const Anchor& b) { return a.distance < b.distance; });
    const double ratio = moved.transform().m11() / (other.transform().m11() * zoom);
    QPointF sum;
    double weights = 0;
    for (qsizetype i = 0; i < count; ++i) {
        const double weight = 1 / (near[i].distance + 400);
        sum += weight * (near[i].there + (middle - near[i].here) * ratio);
        weights += weight;
    }
    other.moveTo(sum / weights, zoom);
}

}  // namespace fusescope::gui
