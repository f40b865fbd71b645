// Which things caused which: arrows over a timeline.
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "gui/app/theme.hpp"
#include "gui/timeline/timeline_scene.hpp"

namespace fusescope::gui {

namespace {

constexpr qsizetype kMostAround = 80;   // arrows of all in sight, so that they can still be told apart
constexpr qsizetype kMostChosen = 200;  // arrows of the selection

struct Flow {
    QPointF from, to;
    bool chosen = false;
};

class Flows {
 public:
    explicit Flows(const TimelineScene& scene) : scene_(scene) {}

    std::vector<Flow> collect() {
        for (const auto& placed : scene_.rows) {
            const TimelineRow& row = scene_.rowOf(placed);
            if (!row.slices.hasLinks() || !row.busy.empty()) {
                continue;
            }
            ofSelection(placed, row);
            const qsizetype first = row.slices.firstFrom(static_cast<qint64>(scene_.begin));
            const qsizetype last = row.slices.firstFrom(static_cast<qint64>(scene_.end()));
            for (qsizetype i = first; last - first <= kMostAround && i < last; ++i) {
                add(placed, row, i, false);
            }
        }
        return std::move(flows_);
    }

 private:
    void ofSelection(const TimelineScene::PlacedRow& placed, const TimelineRow& row) {
        if (scene_.selected.kind == row.target) {
            if (const qsizetype slice = row.slices.find(scene_.selected.id); slice >= 0) {
                add(placed, row, slice, true);
            }
        }
        const auto& related = row.target == Selection::Kind::Transfer ? scene_.relatedTransfers : scene_.relatedEvents;
        if (related.size() <= kMostChosen) {
            for (const qint64 id : related) {
                if (const qsizetype slice = row.slices.find(id); slice >= 0) {
                    add(placed, row, slice, true);
                }
            }
        }
    }

    // Middle of the slice's edge that an arrow leaves from or ends at.
    QPointF edge(const TimelineScene::PlacedRow& placed, double time, bool below) const {
        return {scene_.xOf(time), static_cast<double>(scene_.topOf(placed) + (below ? placed.height : 0))};
    }

    void add(const TimelineScene::PlacedRow& placed, const TimelineRow& row, qsizetype slice, bool chosen) {
        const double begin = static_cast<double>(row.slices.begin(slice));
        if (row.kind == RowKind::Op) {
            const auto thread = static_cast<int>(row.slices.extra(slice));
            for (const auto& candidate : scene_.rows) {
                const auto& lane = scene_.data->lanes[candidate.lane];
                if (scene_.rowOf(candidate).kind == RowKind::Launch && lane.thread == thread) {
                    const bool below = candidate.top < placed.top;
                    flows_.push_back({edge(candidate, static_cast<double>(row.slices.link(slice)), below),
                                      edge(placed, begin, !below), chosen});
                    return;
                }
            }
        } else if (row.kind == RowKind::Transfer && row.slices.link(slice) != 0) {
            const auto op = scene_.data->find(Selection::Kind::OpEvent, row.slices.link(slice));
            const auto* target = op.isValid() ? scene_.placed(op.lane, op.row) : nullptr;
            if (target == nullptr) {
                return;
            }
            const SliceStore& ops = scene_.data->rowAt(op).slices;
            const bool below = placed.top < target->top;
            // What is earlier is the cause.
            const bool before = row.slices.begin(slice) <= ops.begin(op.slice);
            const QPointF copy =
                edge(placed, static_cast<double>(before ? row.slices.end(slice) : row.slices.begin(slice)), below);
            const QPointF ran =
                edge(*target, static_cast<double>(before ? ops.begin(op.slice) : ops.end(op.slice)), !below);
            flows_.push_back(before ? Flow{copy, ran, chosen} : Flow{ran, copy, chosen});
        }
    }

    const TimelineScene& scene_;
    std::vector<Flow> flows_;
};

}  // namespace

int countFlows(const TimelineScene& scene) { return scene.data ? static_cast<int>(Flows(scene).collect().size()) : 0; }

void paintFlows(QPainter& painter, const TimelineScene& scene) {
    auto flows = Flows(scene).collect();
    if (flows.empty()) {
        return;
    }
    // Those of the selection on top.
    std::stable_sort(flows.begin(), flows.end(), [](const Flow& a, const Flow& b) { return a.chosen < b.chosen; });
    const double left = scene.labelWidth, right = scene.labelWidth + scene.width;
    painter.setRenderHint(QPainter::Antialiasing, true);
    for (const Flow& flow : flows) {
        if (std::max(flow.from.x(), flow.to.x()) < left || std::min(flow.from.x(), flow.to.x()) > right) {
            continue;
        }
        QColor color = flow.chosen ? theme().accent : theme().mutedText;
        color.setAlpha(flow.chosen ? 255 : 150);
        painter.setPen(QPen(color, flow.chosen ? 1.8 : 1));
        painter.setBrush(Qt::NoBrush);
        const double middle = (flow.from.y() + flow.to.y()) / 2;
        QPainterPath path(flow.from);
        path.cubicTo(QPointF(flow.from.x(), middle), QPointF(flow.to.x(), middle), flow.to);
        painter.drawPath(path);
        const double away = flow.to.y() > flow.from.y() ? -5 : 5;
        painter.setBrush(color);
        painter.drawPolygon(QPolygonF({flow.to, flow.to + QPointF(-3, away), flow.to + QPointF(3, away)}));
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

}  // namespace fusescope::gui
