// The timeline's mouse and keys. W/S zoom, A/D pan, F fits, Shift + drag or a drag on the ruler marks a range.
#include "gui/timeline/timeline_view.hpp"

#include <QApplication>
#include <QElapsedTimer>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "gui/app/theme.hpp"
#include "gui/widgets/format.hpp"

namespace fusescope::gui {

namespace {

constexpr int kRuler = TimelineScene::kRulerHeight;
constexpr double kSmallestNsPerPixel = 0.02;
constexpr int kSlackPixels = 3;

}  // namespace

TimelineView::TimelineView(QWidget* parent) : QAbstractScrollArea(parent) {
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
    setAccessibleName(tr("Timeline"));
    setAccessibleDescription(tr("Lanes of host threads, device streams, transfers, memory and compilations over time"));
    setMinimumHeight(80);
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this, [this](int value) {
        scene_.scrolled = value;
        viewport()->update();
    });
}

void TimelineView::setData(std::shared_ptr<const TimelineData> data) {
    const bool other = scene_.data && scene_.data->aligned != data->aligned;
    scene_.data = std::move(data);
    clicked_ = {};
    painter_.forget();
    layOut();
    if (!touched_ || other) {
        fit();
    }
    viewport()->update();
}

void TimelineView::clear() {
    scene_.data.reset();
    scene_.rows.clear();
    scene_.marked.reset();
    scene_.selected = {};
    scene_.relatedEvents.clear();
    scene_.relatedTransfers.clear();
    touched_ = false;
    clicked_ = {};
    viewport()->update();
}

void TimelineView::setSelected(const Selection& selection) {
    scene_.selected = selection;
    viewport()->update();
}

void TimelineView::setRelated(const QSet<qint64>& events, const QSet<qint64>& transfers) {
    scene_.relatedEvents = events;
    scene_.relatedTransfers = transfers;
    viewport()->update();
}

void TimelineView::setMarkedRange(std::optional<TimeRange> range) {
    scene_.marked = range;
    viewport()->update();
}

void TimelineView::layOut() {
    int widest = 90;
    if (scene_.data) {
        for (const auto& lane : scene_.data->lanes) {
            // In a lane of one row the word about the clock stands beside the name, not below it.
            const bool beside = lane.modelled && lane.rows.size() == 1 && lane.kind != LaneKind::Counter;
            const QString word = beside ? QCoreApplication::translate("timeline", "modelled") : QString();
            widest = std::max(widest, fontMetrics().horizontalAdvance(lane.name + word) + (beside ? 48 : 34));
        }
    }
    scene_.labelWidth = std::min(widest, std::max(130, viewport()->width() / 5));
    scene_.width = std::max(1, viewport()->width() - scene_.labelWidth - 8);
    scene_.height = viewport()->height();
    const int height = kRuler + scene_.place();
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setRange(0, std::max(0, height - viewport()->height()));
    verticalScrollBar()->setSingleStep(24);
    scene_.scrolled = verticalScrollBar()->value();
}

void TimelineView::toggleLane(int lane) {
    if (!scene_.data || lane < 0 || lane >= scene_.data->lanes.size() || !scene_.closable(lane)) {
        return;
    }
    const QString& name = scene_.data->lanes[lane].name;
    if (!scene_.closed.remove(name)) {
        scene_.closed.insert(name);
    }
    layOut();
    viewport()->update();
}

void TimelineView::fit() {
    if (!scene_.data) {
        return;
    }
    const double span = std::max<double>(1, static_cast<double>(scene_.data->last - scene_.data->first));
    scene_.nsPerPixel = std::max(kSmallestNsPerPixel, span * 1.02 / scene_.width);
    scene_.begin = static_cast<double>(scene_.data->first) - span * 0.01;
    touched_ = false;
    viewport()->update();
}

void TimelineView::zoom(double factor, double aroundPixel) {
    if (!scene_.data) {
        return;
    }
    const double around = scene_.timeAt(aroundPixel);
    scene_.nsPerPixel /= factor;
    limitView();
    scene_.begin = around - (aroundPixel - scene_.labelWidth) * scene_.nsPerPixel;
    touched_ = true;
    limitView();
    viewport()->update();
}

void TimelineView::pan(double pixels) {
    scene_.begin += pixels * scene_.nsPerPixel;
    touched_ = true;
    limitView();
    viewport()->update();
}

// At least a sliver of the run stays in sight, and no further out than a little more than the whole.
void TimelineView::limitView() {
    if (!scene_.data) {
        return;
    }
    const double first = static_cast<double>(scene_.data->first), last = static_cast<double>(scene_.data->last);
    const double span = std::max<double>(1, last - first);
    scene_.nsPerPixel =
        std::clamp(scene_.nsPerPixel, kSmallestNsPerPixel, std::max(kSmallestNsPerPixel, span * 1.5 / scene_.width));
    const double width = scene_.width * scene_.nsPerPixel;
    scene_.begin = std::clamp(scene_.begin, first - width * 0.9, std::max(first - width * 0.9, last - width * 0.1));
}

TimeRange TimelineView::visibleRange() const {
    return {static_cast<qint64>(scene_.begin), static_cast<qint64>(scene_.end())};
}

void TimelineView::setVisibleRange(const TimeRange& range) {
    scene_.nsPerPixel = std::max(1.0, static_cast<double>(range.end - range.begin)) / scene_.width;
    scene_.begin = static_cast<double>(range.begin);
    touched_ = true;
    limitView();
    viewport()->update();
}

void TimelineView::frame(qint64 begin, qint64 end) {
    const double length = std::max(1.0, static_cast<double>(end - begin));
    setVisibleRange({static_cast<qint64>(static_cast<double>(begin) - length * 0.1),
                     static_cast<qint64>(static_cast<double>(end) + length * 0.1)});
}

void TimelineView::reveal(Selection::Kind kind, qint64 id) {
    const auto place = scene_.data ? scene_.data->find(kind, id) : TimelineData::Place();
    if (!place.isValid()) {
        return;
    }
    if (!scene_.placed(place.lane, place.row)) {
        toggleLane(place.lane);
    }
    const SliceStore& slices = scene_.data->rowAt(place).slices;
    const double begin = static_cast<double>(slices.begin(place.slice));
    const double length = std::max(1.0, static_cast<double>(slices.duration(place.slice)));
    const bool small = length / scene_.nsPerPixel < 3;
    const bool away =
        scene_.xOf(begin) < scene_.labelWidth || scene_.xOf(begin + length) > scene_.labelWidth + scene_.width;
    if (small) {
        scene_.nsPerPixel = std::max(kSmallestNsPerPixel, length / (scene_.width * 0.05));
    }
    if (small || away) {
        scene_.begin = begin + length / 2 - scene_.width * scene_.nsPerPixel / 2;
        touched_ = true;
    }
    if (const auto* row = scene_.placed(place.lane, place.row)) {
        const int top = scene_.topOf(*row);
        if (top < kRuler || top + row->height > scene_.height) {
            verticalScrollBar()->setValue(row->top - (scene_.height - kRuler) / 3);
        }
    }
    viewport()->update();
}

std::optional<QPoint> TimelineView::centreOf(Selection::Kind kind, qint64 id) const {
    const auto place = scene_.data ? scene_.data->find(kind, id) : TimelineData::Place();
    const auto* row = place.isValid() ? scene_.placed(place.lane, place.row) : nullptr;
    if (row == nullptr) {
        return std::nullopt;
    }
    const SliceStore& slices = scene_.data->rowAt(place).slices;
    const QPoint point(static_cast<int>(scene_.xOf(static_cast<double>(slices.begin(place.slice)) +
                                                   static_cast<double>(slices.duration(place.slice)) / 2)),
                       scene_.topOf(*row) + row->height / 2);
    const bool inSight = point.x() >= scene_.labelWidth && point.y() > kRuler && viewport()->rect().contains(point);
    return inSight ? std::optional<QPoint>(point) : std::nullopt;
}

void TimelineView::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    layOut();
    if (!touched_) {
        fit();
    }
}

void TimelineView::changeEvent(QEvent* event) {
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange) {
        painter_.forget();
        layOut();
        viewport()->update();
    }
}

void TimelineView::focusInEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusInEvent(event);
    scene_.focused = true;
    viewport()->update();
}

void TimelineView::focusOutEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusOutEvent(event);
    scene_.focused = false;
    viewport()->update();
}

void TimelineView::paintEvent(QPaintEvent*) {
    QElapsedTimer timer;
    timer.start();
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), theme().background);
    if (!scene_.data || scene_.data->lanes.isEmpty()) {
        painter.setPen(theme().mutedText);
        painter.drawText(
            viewport()->rect(), Qt::AlignCenter | Qt::TextWordWrap,
            scene_.data ? (scene_.data->remark.isEmpty() ? tr("Nothing was timed in this run.") : scene_.data->remark)
                        : QString());
        return;
    }
    painter_.paint(painter, scene_);
    if (scene_.focused) {
        painter.setPen(theme().accent);
        painter.drawLine(0, kRuler, viewport()->width(), kRuler);
    }
    lastPaintNs_ = timer.nsecsElapsed();
}

TimelineData::Place TimelineView::hit(const QPoint& position) const {
    if (!scene_.data || position.x() < scene_.labelWidth || position.y() < kRuler) {
        return {};
    }
    const auto time = static_cast<qint64>(scene_.timeAt(position.x()));
    const auto slack = static_cast<qint64>(scene_.nsPerPixel * kSlackPixels);
    for (const auto& placed : scene_.rows) {
        const int top = scene_.topOf(placed);
        if (position.y() < top || position.y() >= top + placed.height) {
            continue;
        }
        const TimelineRow& row = scene_.rowOf(placed);
        for (const SliceStore& ops : row.launched) {
            // The launch nearest to the pointer stands for its op.
            qsizetype i = ops.firstLinkFrom(time);
            if (i > 0 && (i == ops.size() || time - ops.link(i - 1) < ops.link(i) - time)) {
                --i;
            }
            if (i < ops.size() && std::abs(ops.link(i) - time) <= slack) {
                return scene_.data->find(Selection::Kind::OpEvent, ops.id(i));
            }
        }
        return {placed.lane, placed.row, row.busy.empty() ? row.slices.at(time, slack) : -1};
    }
    return {};
}

void TimelineView::mark(std::optional<TimeRange> range) {
    scene_.marked = range;
    emit rangeMarked();
    viewport()->update();
}

void TimelineView::choose(const TimelineData::Place& place) {
    const TimelineRow& row = scene_.data->rowAt(place);
    const qint64 id = row.slices.id(place.slice);
    clicked_ = place;
    if (row.target != Selection::Kind::None && id != 0) {
        emit sliceClicked(row.target, id);
    } else if (!scene_.data->aligned) {
        // Steps, and scopes that only contain others, are stretches of time and nothing else.
        mark(TimeRange{row.slices.begin(place.slice), row.slices.end(place.slice)});
    }
}

void TimelineView::wheelEvent(QWheelEvent* event) {
    const QPoint delta = event->angleDelta();
    if (event->modifiers() & Qt::ControlModifier) {
        verticalScrollBar()->setValue(verticalScrollBar()->value() - delta.y() / 2);
    } else if (event->modifiers() & Qt::ShiftModifier || std::abs(delta.x()) > std::abs(delta.y())) {
        pan(-(delta.x() != 0 ? delta.x() : delta.y()) * 0.6);
    } else {
        zoom(std::pow(1.0018, delta.y()), std::max<double>(scene_.labelWidth, event->position().x()));
    }
    event->accept();
}

void TimelineView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !scene_.data) {
        return;
    }
    pressed_ = event->pos();
    pressedBegin_ = scene_.begin;
    pressedScroll_ = verticalScrollBar()->value();
    dragging_ = false;
    markAnchor_.reset();
    const bool inRuler = event->pos().y() < kRuler && event->pos().x() >= scene_.labelWidth;
    if (!scene_.data->aligned && (inRuler || event->modifiers() & Qt::ShiftModifier)) {
        markAnchor_ = scene_.timeAt(event->pos().x());
    }
}

void TimelineView::mouseMoveEvent(QMouseEvent* event) {
    if (!(event->buttons() & Qt::LeftButton) || !scene_.data) {
        return;
    }
    if ((event->pos() - pressed_).manhattanLength() >= QApplication::startDragDistance()) {
        dragging_ = true;
    }
    if (!dragging_) {
        return;
    }
    if (markAnchor_) {
        const double now = scene_.timeAt(event->pos().x());
        scene_.marked = TimeRange{static_cast<qint64>(std::min(*markAnchor_, now)),
                                  static_cast<qint64>(std::max(*markAnchor_, now))};
    } else {
        scene_.begin = pressedBegin_ - (event->pos().x() - pressed_.x()) * scene_.nsPerPixel;
        verticalScrollBar()->setValue(pressedScroll_ - (event->pos().y() - pressed_.y()));
        touched_ = true;
        limitView();
    }
    viewport()->update();
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !scene_.data) {
        return;
    }
    if (dragging_) {
        if (markAnchor_) {
            emit rangeMarked();
        }
        return;
    }
    if (event->pos().x() < scene_.labelWidth) {
        for (const auto& placed : scene_.rows) {
            const int top = scene_.topOf(placed);
            if (event->pos().y() >= std::max(kRuler, top) && event->pos().y() < top + placed.height) {
                toggleLane(placed.lane);
                return;
            }
        }
        return;
    }
    const auto found = hit(event->pos());
    if (found.isValid()) {
        choose(found);
        return;
    }
    if (scene_.marked && !(event->modifiers() & Qt::ShiftModifier)) {
        mark(std::nullopt);
    }
    emit backgroundClicked();
    viewport()->update();
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent* event) {
    const auto found = hit(event->pos());
    if (found.isValid()) {
        const SliceStore& slices = scene_.data->rowAt(found).slices;
        frame(slices.begin(found.slice), slices.end(found.slice));
    }
}

TimelineData::Place TimelineView::chosen() const {
    if (!scene_.data) {
        return {};
    }
    const auto place = scene_.data->find(scene_.selected.kind, scene_.selected.id);
    return place.isValid() && scene_.selected.kind != Selection::Kind::Scope ? place : clicked_;
}

void TimelineView::keyPressEvent(QKeyEvent* event) {
    const double middle = scene_.labelWidth + scene_.width / 2.0;
    const auto place = chosen();
    const SliceStore* slices = place.isValid() ? &scene_.data->rowAt(place).slices : nullptr;
    if (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier)) {
        QAbstractScrollArea::keyPressEvent(event);
        return;
    }
    switch (event->key()) {
        case Qt::Key_W:
        case Qt::Key_Plus:
        case Qt::Key_Equal:
            zoom(1.4, middle);
            break;
        case Qt::Key_S:
        case Qt::Key_Minus:
            zoom(1 / 1.4, middle);
            break;
        case Qt::Key_A:
            pan(-scene_.width * 0.15);
            break;
        case Qt::Key_D:
            pan(scene_.width * 0.15);
            break;
        case Qt::Key_F:
            fit();
            break;
        case Qt::Key_Left:
            stepSlice(-1);
            break;
        case Qt::Key_Right:
            stepSlice(1);
            break;
        case Qt::Key_Up:
            stepRow(-1);
            break;
        case Qt::Key_Down:
            stepRow(1);
            break;
        case Qt::Key_Z:
            if (slices) {
                frame(slices->begin(place.slice), slices->end(place.slice));
            } else if (scene_.marked) {
                frame(scene_.marked->begin, scene_.marked->end);
            }
            break;
        case Qt::Key_M:
            if (slices && !scene_.data->aligned) {
                mark(TimeRange{slices->begin(place.slice), slices->end(place.slice)});
            }
            break;
        case Qt::Key_Escape:
            if (scene_.marked) {
                mark(std::nullopt);
                break;
            }
            [[fallthrough]];
        default:
            QAbstractScrollArea::keyPressEvent(event);
    }
}

void TimelineView::stepSlice(int direction) {
    auto place = chosen();
    if (!place.isValid()) {
        return;
    }
    place.slice += direction;
    if (place.slice >= 0 && place.slice < scene_.data->rowAt(place).slices.size()) {
        choose(place);
        const TimelineRow& row = scene_.data->rowAt(place);
        reveal(row.target, row.slices.id(place.slice));
    }
}

// To the slice above or below that is there at the same time.
void TimelineView::stepRow(int direction) {
    const auto place = chosen();
    const auto* row = place.isValid() ? scene_.placed(place.lane, place.row) : nullptr;
    if (row == nullptr) {
        verticalScrollBar()->triggerAction(direction < 0 ? QAbstractSlider::SliderSingleStepSub
                                                         : QAbstractSlider::SliderSingleStepAdd);
        return;
    }
    const SliceStore& slices = scene_.data->rowAt(place).slices;
    const qint64 middle = slices.begin(place.slice) + slices.duration(place.slice) / 2;
    for (qsizetype i = (row - scene_.rows.data()) + direction; i >= 0 && i < scene_.rows.size(); i += direction) {
        const TimelineRow& other = scene_.rowOf(scene_.rows[i]);
        if (other.slices.isEmpty() || !other.busy.empty()) {
            continue;
        }
        const qsizetype slice = other.slices.at(middle, static_cast<qint64>(scene_.nsPerPixel * 40));
        if (slice >= 0) {
            choose({scene_.rows[i].lane, scene_.rows[i].row, slice});
            return;
        }
    }
}

bool TimelineView::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QString text = toolTipOf(help->pos());
        if (text.isEmpty()) {
            QToolTip::hideText();
        } else {
            QToolTip::showText(help->globalPos(), text, viewport());
        }
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

QString TimelineView::toolTipOf(const QPoint& position) const {
    if (!scene_.data) {
        return {};
    }
    for (const auto& placed : scene_.rows) {
        const int top = scene_.topOf(placed);
        if (position.y() < std::max(kRuler, top) || position.y() >= top + placed.height) {
            continue;
        }
        const auto& lane = scene_.data->lanes[placed.lane];
        const auto& row = scene_.rowOf(placed);
        const QString modelled = lane.modelled ? tr(" (modelled)") : QString();
        if (position.x() < scene_.labelWidth) {
            return lane.name + modelled;
        }
        const double time = scene_.timeAt(position.x());
        if (row.counter) {
            return tr("%1\n%2%3\nat %4")
                .arg(lane.name, row.counter->text(row.counter->highest(time, time + scene_.nsPerPixel)), modelled,
                     durationText(time - static_cast<double>(scene_.data->zero)));
        }
        break;
    }
    const auto place = hit(position);
    if (!place.isValid()) {
        return {};
    }
    const auto& lane = scene_.data->lanes[place.lane];
    const auto& row = scene_.data->rowAt(place);
    const QString name = scene_.data->labels[static_cast<int>(row.slices.label(place.slice))];
    QString text =
        tr("%1\n%2%3\nat %4 · %5")
            .arg(name, durationText(static_cast<double>(row.slices.duration(place.slice))),
                 lane.modelled ? tr(" (modelled)") : QString(),
                 durationText(static_cast<double>(row.slices.begin(place.slice) - scene_.data->zero)), lane.name);
    if (row.kind == RowKind::Op && row.slices.hasLinks()) {
        text +=
            tr("\nlaunched %1 before")
                .arg(durationText(static_cast<double>(row.slices.begin(place.slice) - row.slices.link(place.slice))));
    } else if (row.kind == RowKind::Transfer) {
        text += QStringLiteral("\n") + bytesText(static_cast<double>(row.slices.extra(place.slice)));
    } else if (row.kind == RowKind::Pass) {
        text += tr("\nPasses are laid end to end: only their durations were recorded.");
    }
    return text;
}

}  // namespace fusescope::gui
