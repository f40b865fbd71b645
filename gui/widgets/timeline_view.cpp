// The timeline's painting, mouse and keys. W/S zoom, A/D pan, F fits, Shift + drag marks a range and sums it.
#include "gui/widgets/timeline_view.hpp"

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

constexpr int kRulerHeight = 24;
constexpr int kTrackHeight = 30;
constexpr int kTrackGap = 6;
constexpr double kSmallestNsPerPixel = 0.02;
constexpr int kSlackPixels = 3;

// 1, 2 or 5 times a power of ten, at least `least`.
double niceStep(double least) {
    const double power = std::pow(10, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= least) {
            return factor * power;
        }
    }
    return 10 * power;
}

QColor hueOf(TrackKind kind) {
    switch (kind) {
        case TrackKind::Device:
            return theme().device;
        case TrackKind::Transfer:
            return theme().transfer;
        case TrackKind::Compile:
            return theme().compile;
        case TrackKind::Host:
            break;
    }
    return theme().host;
}

}  // namespace

TimelineView::TimelineView(QWidget* parent) : QAbstractScrollArea(parent) {
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
    setAccessibleName(tr("Timeline"));
    setAccessibleDescription(tr("Tracks of host threads, device streams, transfers and compilations over time"));
    setMinimumHeight(80);
}

void TimelineView::setData(std::shared_ptr<const TimelineData> data) {
    data_ = std::move(data);
    int widest = 90;
    for (const auto& track : data_->tracks) {
        widest = std::max(widest, fontMetrics().horizontalAdvance(track.name) + 22);
    }
    labelWidth_ = std::min(widest, std::max(120, width() / 5));
    updateScrollBar();
    if (!touched_) {
        fit();
    }
    viewport()->update();
}

void TimelineView::clear() {
    data_.reset();
    touched_ = false;
    marked_.reset();
    selected_ = {};
    relatedEvents_.clear();
    relatedTransfers_.clear();
    viewport()->update();
}

void TimelineView::setSelected(const Selection& selection) {
    selected_ = selection;
    viewport()->update();
}

void TimelineView::setRelated(const QSet<qint64>& events, const QSet<qint64>& transfers) {
    relatedEvents_ = events;
    relatedTransfers_ = transfers;
    viewport()->update();
}

int TimelineView::trackTop(int track) const {
    return kRulerHeight + kTrackGap + track * (kTrackHeight + kTrackGap) - verticalScrollBar()->value();
}

int TimelineView::trackWidth() const { return std::max(1, viewport()->width() - labelWidth_ - 8); }

double TimelineView::timeAt(double x) const { return begin_ + (x - labelWidth_) * nsPerPixel_; }

double TimelineView::xOf(double time) const { return labelWidth_ + (time - begin_) / nsPerPixel_; }

void TimelineView::fit() {
    if (!data_) {
        return;
    }
    const double span = std::max<double>(1, static_cast<double>(data_->last - data_->first));
    nsPerPixel_ = std::max(kSmallestNsPerPixel, span * 1.02 / trackWidth());
    begin_ = static_cast<double>(data_->first) - span * 0.01;
    touched_ = false;
    viewport()->update();
}

void TimelineView::zoom(double factor, double aroundPixel) {
    if (!data_) {
        return;
    }
    const double around = timeAt(aroundPixel);
    nsPerPixel_ /= factor;
    limitView();
    begin_ = around - (aroundPixel - labelWidth_) * nsPerPixel_;
    touched_ = true;
    limitView();
    viewport()->update();
}

void TimelineView::pan(double pixels) {
    begin_ += pixels * nsPerPixel_;
    touched_ = true;
    limitView();
    viewport()->update();
}

// At least a sliver of the run stays in sight, and no further out than a little more than the whole.
void TimelineView::limitView() {
    if (!data_) {
        return;
    }
    const double span = std::max<double>(1, static_cast<double>(data_->last - data_->first));
    nsPerPixel_ =
        std::clamp(nsPerPixel_, kSmallestNsPerPixel, std::max(kSmallestNsPerPixel, span * 1.5 / trackWidth()));
    const double width = trackWidth() * nsPerPixel_;
    begin_ = std::clamp(begin_, static_cast<double>(data_->first) - width * 0.9,
                        static_cast<double>(data_->last) - width * 0.1);
}

TimeRange TimelineView::visibleRange() const {
    return {static_cast<qint64>(begin_), static_cast<qint64>(begin_ + trackWidth() * nsPerPixel_)};
}

void TimelineView::setVisibleRange(const TimeRange& range) {
    nsPerPixel_ = std::max(1.0, static_cast<double>(range.end - range.begin)) / trackWidth();
    begin_ = static_cast<double>(range.begin);
    touched_ = true;
    limitView();
    viewport()->update();
}

void TimelineView::reveal(Selection::Kind kind, qint64 id) {
    if (!data_) {
        return;
    }
    for (int t = 0; t < data_->tracks.size(); ++t) {
        const auto& track = data_->tracks[t];
        const qsizetype slice = track.slices == kind ? track.find(id) : -1;
        if (slice < 0) {
            continue;
        }
        const double begin = static_cast<double>(track.begin[slice]);
        const double length = std::max(1.0, static_cast<double>(track.duration[slice]));
        if (length / nsPerPixel_ < 3) {
            nsPerPixel_ = std::max(kSmallestNsPerPixel, length / (trackWidth() * 0.05));
            begin_ = begin + length / 2 - trackWidth() * nsPerPixel_ / 2;
            touched_ = true;
        } else if (xOf(begin) < labelWidth_ || xOf(begin + length) > labelWidth_ + trackWidth()) {
            begin_ = begin + length / 2 - trackWidth() * nsPerPixel_ / 2;
            touched_ = true;
        }
        const int top = trackTop(t);
        if (top < kRulerHeight || top + kTrackHeight > viewport()->height()) {
            verticalScrollBar()->setValue(t * (kTrackHeight + kTrackGap));
        }
        viewport()->update();
        return;
    }
}

std::optional<QPoint> TimelineView::centreOf(Selection::Kind kind, qint64 id) const {
    for (int t = 0; data_ && t < data_->tracks.size(); ++t) {
        const auto& track = data_->tracks[t];
        const qsizetype slice = track.slices == kind ? track.find(id) : -1;
        if (slice >= 0) {
            const QPoint point(static_cast<int>(xOf(static_cast<double>(track.begin[slice]) +
                                                    static_cast<double>(track.duration[slice]) / 2)),
                               trackTop(t) + kTrackHeight / 2);
            if (point.x() >= labelWidth_ && viewport()->rect().contains(point)) {
                return point;
            }
        }
    }
    return std::nullopt;
}

void TimelineView::updateScrollBar() {
    const int count = data_ ? static_cast<int>(data_->tracks.size()) : 0;
    const int height = kRulerHeight + kTrackGap + count * (kTrackHeight + kTrackGap);
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setRange(0, std::max(0, height - viewport()->height()));
    verticalScrollBar()->setSingleStep(kTrackHeight);
}

void TimelineView::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    updateScrollBar();
    if (!touched_) {
        fit();
    }
}

void TimelineView::paintEvent(QPaintEvent*) {
    QElapsedTimer timer;
    timer.start();
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), theme().background);
    if (!data_ || data_->tracks.isEmpty()) {
        painter.setPen(theme().mutedText);
        painter.drawText(viewport()->rect(), Qt::AlignCenter, data_ ? tr("Nothing was timed in this run.") : QString());
        return;
    }
    for (int i = 0; i < data_->tracks.size(); ++i) {
        paintTrack(painter, i);
    }
    paintRuler(painter);
    paintMarked(painter);
    lastPaintNs_ = timer.nsecsElapsed();
}

void TimelineView::paintRuler(QPainter& painter) const {
    const Theme& t = theme();
    painter.fillRect(QRect(0, 0, viewport()->width(), kRulerHeight), t.panel);
    painter.setPen(t.mutedText);
    const double step = niceStep(nsPerPixel_ * 110);
    const double origin = static_cast<double>(data_->zero);
    const double last = begin_ + trackWidth() * nsPerPixel_;
    for (double tick = std::ceil((begin_ - origin) / step); origin + tick * step <= last; ++tick) {
        const double time = origin + tick * step;
        const int x = static_cast<int>(xOf(time));
        painter.setPen(t.grid);
        painter.drawLine(x, kRulerHeight - 6, x, viewport()->height());
        painter.setPen(t.mutedText);
        painter.drawText(QRect(x + 4, 0, 110, kRulerHeight), Qt::AlignVCenter | Qt::AlignLeft,
                         axisTimeText(tick * step, step));
    }
    painter.fillRect(QRect(0, 0, labelWidth_, kRulerHeight), t.panel);
    painter.setPen(t.border);
    painter.drawLine(0, kRulerHeight, viewport()->width(), kRulerHeight);
}

void TimelineView::paintTrack(QPainter& painter, int index) const {
    const Theme& t = theme();
    const auto& track = data_->tracks[index];
    const int top = trackTop(index);
    if (top > viewport()->height() || top + kTrackHeight < kRulerHeight) {
        return;
    }
    const QRect area(labelWidth_, top, trackWidth(), kTrackHeight);
    const QColor empty = t.dark ? QColor("#20242b") : QColor("#f7f8fa");
    painter.fillRect(area, empty);
    painter.save();
    painter.setClipRect(area);
    piecesOf(track, begin_, nsPerPixel_, trackWidth(), pieces_);
    const QColor trackHue = hueOf(track.kind);
    const bool kinds = track.slices == Selection::Kind::OpEvent;
    const QSet<qint64>& related = track.slices == Selection::Kind::Transfer ? relatedTransfers_ : relatedEvents_;
    const bool anyRelated = !related.isEmpty() && track.slices != Selection::Kind::Graph;
    QHash<quint32, QColor> colors;
    for (const auto& piece : pieces_) {
        QColor color = trackHue;
        if (kinds) {
            const quint32 label = track.label[piece.slice];
            auto it = colors.find(label);
            if (it == colors.end()) {
                it = colors.insert(label, t.colorOfKind(data_->labels[static_cast<int>(label)]));
            }
            color = it.value();
        }
        QRectF rect(labelWidth_ + piece.x0, top, piece.x1 - piece.x0, kTrackHeight);
        rect = rect.intersected(QRectF(area).adjusted(-2, 0, 2, 0));
        if (rect.width() < 1) {
            rect.setWidth(1);
        }
        if (piece.many) {
            rect.setTop(rect.bottom() - rect.height() * piece.fill);
        } else if (rect.width() > 3) {
            rect.setRight(rect.right() - 1);
        }
        painter.fillRect(rect, color);
        const qint64 id = track.id[piece.slice];
        const bool selected = !piece.many && selected_.kind == track.slices && selected_.id == id;
        if (selected) {
            painter.setPen(QPen(t.accent, 2.5));
            painter.drawRect(rect.adjusted(1, 1, -1, -1));
        } else if (anyRelated && !piece.many && related.contains(id)) {
            painter.setPen(QPen(t.related, 2));
            painter.drawRect(rect.adjusted(1, 1, -1, -1));
        }
        if (rect.width() > 26) {
            const QString& text = data_->labels[static_cast<int>(track.label[piece.slice])];
            const QRectF room = rect.adjusted(5, 0, -4, 0);
            painter.setPen(color.lightness() > 120 ? QColor("#14181f") : QColor("#ffffff"));
            painter.drawText(room, Qt::AlignVCenter | Qt::AlignLeft,
                             painter.fontMetrics().elidedText(text, Qt::ElideRight, static_cast<int>(room.width())));
        }
    }
    if (track.modelled) {
        // Lines in the colour of the empty track: they are seen on what ran, and nowhere else.
        painter.fillRect(area, QBrush(empty, Qt::BDiagPattern));
    }
    // What is hidden in pieces of many still gets a mark above them.
    const auto flag = [&](qint64 id, const QColor& color) {
        const qsizetype slice = track.find(id);
        if (slice >= 0) {
            const double x =
                xOf(static_cast<double>(track.begin[slice]) + static_cast<double>(track.duration[slice]) / 2);
            painter.fillRect(QRectF(x - 1, top, 2.5, kTrackHeight), color);
        }
    };
    if (anyRelated && related.size() <= 2000) {
        for (const qint64 id : related) {
            const qsizetype slice = track.find(id);
            if (slice >= 0 && static_cast<double>(track.duration[slice]) < nsPerPixel_) {
                flag(id, t.related);
            }
        }
    }
    if (selected_.kind == track.slices) {
        const qsizetype slice = track.find(selected_.id);
        if (slice >= 0 && static_cast<double>(track.duration[slice]) < nsPerPixel_ * 2) {
            flag(selected_.id, t.accent);
        }
    }
    painter.restore();
    painter.fillRect(QRect(0, top, labelWidth_, kTrackHeight), t.background);
    painter.fillRect(QRect(0, top, 4, kTrackHeight), trackHue);
    painter.setPen(t.text);
    const QRect label(10, top, labelWidth_ - 14, kTrackHeight);
    painter.drawText(label, Qt::AlignVCenter | Qt::AlignLeft,
                     painter.fontMetrics().elidedText(track.name, Qt::ElideMiddle, label.width()));
}

void TimelineView::paintMarked(QPainter& painter) const {
    if (!marked_) {
        return;
    }
    const Theme& t = theme();
    const double x0 = std::max<double>(labelWidth_, xOf(static_cast<double>(marked_->begin)));
    const double x1 = std::min<double>(labelWidth_ + trackWidth(), xOf(static_cast<double>(marked_->end)));
    if (x1 <= x0) {
        return;
    }
    QColor shade = t.related;
    shade.setAlpha(40);
    painter.fillRect(QRectF(x0, kRulerHeight, x1 - x0, viewport()->height() - kRulerHeight), shade);
    painter.setPen(QPen(t.related, 1));
    painter.drawLine(QPointF(x0, 0), QPointF(x0, viewport()->height()));
    painter.drawLine(QPointF(x1, 0), QPointF(x1, viewport()->height()));
    painter.fillRect(QRectF(x0 + 1, 1, x1 - x0 - 2, kRulerHeight - 2), t.panel);
    painter.setPen(t.text);
    painter.drawText(QRectF(x0, 0, x1 - x0, kRulerHeight), Qt::AlignCenter,
                     durationText(static_cast<double>(marked_->end - marked_->begin)));
}

TimelineView::Hit TimelineView::hit(const QPoint& position) const {
    Hit result;
    if (!data_ || position.x() < labelWidth_ || position.y() < kRulerHeight) {
        return result;
    }
    for (int i = 0; i < data_->tracks.size(); ++i) {
        const int top = trackTop(i);
        if (position.y() >= top && position.y() < top + kTrackHeight) {
            result.track = i;
            result.slice = data_->tracks[i].at(static_cast<qint64>(timeAt(position.x())),
                                               static_cast<qint64>(nsPerPixel_ * kSlackPixels));
        }
    }
    return result;
}

void TimelineView::wheelEvent(QWheelEvent* event) {
    const QPoint delta = event->angleDelta();
    if (event->modifiers() & Qt::ShiftModifier || std::abs(delta.x()) > std::abs(delta.y())) {
        pan(-(delta.x() != 0 ? delta.x() : delta.y()) * 0.6);
    } else {
        zoom(std::pow(1.0018, delta.y()), std::max<double>(labelWidth_, event->position().x()));
    }
    event->accept();
}

void TimelineView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !data_) {
        return;
    }
    pressed_ = event->pos();
    pressedBegin_ = begin_;
    dragging_ = false;
    markAnchor_.reset();
    if (event->modifiers() & Qt::ShiftModifier) {
        markAnchor_ = timeAt(event->pos().x());
    }
}

void TimelineView::mouseMoveEvent(QMouseEvent* event) {
    if (!(event->buttons() & Qt::LeftButton) || !data_) {
        return;
    }
    if ((event->pos() - pressed_).manhattanLength() >= QApplication::startDragDistance()) {
        dragging_ = true;
    }
    if (!dragging_) {
        return;
    }
    if (markAnchor_) {
        const double now = timeAt(event->pos().x());
        marked_ = TimeRange{static_cast<qint64>(std::min(*markAnchor_, now)),
                            static_cast<qint64>(std::max(*markAnchor_, now))};
    } else {
        begin_ = pressedBegin_ - (event->pos().x() - pressed_.x()) * nsPerPixel_;
        touched_ = true;
        limitView();
    }
    viewport()->update();
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !data_) {
        return;
    }
    if (dragging_) {
        if (markAnchor_) {
            emit rangeMarked();
        }
        return;
    }
    if (marked_ && !(event->modifiers() & Qt::ShiftModifier)) {
        marked_.reset();
        emit rangeMarked();
    }
    const Hit found = hit(event->pos());
    if (found.slice >= 0) {
        const auto& track = data_->tracks[found.track];
        emit sliceClicked(track.slices, track.id[found.slice]);
    } else {
        emit backgroundClicked();
    }
    viewport()->update();
}

void TimelineView::keyPressEvent(QKeyEvent* event) {
    const double middle = labelWidth_ + trackWidth() / 2.0;
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
            pan(-trackWidth() * 0.15);
            break;
        case Qt::Key_D:
            pan(trackWidth() * 0.15);
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
        default:
            QAbstractScrollArea::keyPressEvent(event);
    }
}

void TimelineView::stepSlice(int direction) {
    for (int t = 0; data_ && t < data_->tracks.size(); ++t) {
        const auto& track = data_->tracks[t];
        const qsizetype slice = track.slices == selected_.kind ? track.find(selected_.id) : -1;
        if (slice >= 0 && slice + direction >= 0 && slice + direction < track.size()) {
            emit sliceClicked(track.slices, track.id[slice + direction]);
            return;
        }
    }
}

bool TimelineView::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const Hit found = hit(help->pos());
        if (found.slice >= 0) {
            QToolTip::showText(help->globalPos(), toolTipOf(found), viewport());
        } else {
            QToolTip::hideText();
        }
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

QString TimelineView::toolTipOf(const Hit& hit) const {
    const auto& track = data_->tracks[hit.track];
    const QString name = data_->labels[static_cast<int>(track.label[hit.slice])];
    return tr("%1\n%2%3\nat %4 · %5")
        .arg(name, durationText(static_cast<double>(track.duration[hit.slice])),
             track.modelled ? tr(" (modelled)") : QString(),
             durationText(static_cast<double>(track.begin[hit.slice] - data_->zero)), track.name);
}

}  // namespace fusescope::gui
