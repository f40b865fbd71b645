// One frame of a timeline. Its cost grows with the pixels and not with the events.
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "gui/app/theme.hpp"
#include "gui/timeline/timeline_scene.hpp"
#include "gui/widgets/format.hpp"

namespace fusescope::gui {

namespace {

constexpr int kTextFrom = 28;  // pixels a piece must be wide to carry a name
constexpr qsizetype kMostTexts = 20'000;
constexpr qsizetype kMostFlags = 2000;

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

QColor mix(const QColor& a, const QColor& b, double share) {
    const auto part = [share](int x, int y) { return static_cast<int>(x + (y - x) * share); };
    return QColor(part(a.red(), b.red()), part(a.green(), b.green()), part(a.blue(), b.blue()));
}

QColor hueOf(LaneKind kind) {
    switch (kind) {
        case LaneKind::Device:
            return theme().device;
        case LaneKind::Transfer:
            return theme().transfer;
        case LaneKind::Compile:
            return theme().compile;
        case LaneKind::Steps:
        case LaneKind::Host:
        case LaneKind::Counter:
            break;
    }
    return theme().host;
}

QColor emptyColor() { return theme().dark ? QColor("#20242b") : QColor("#f5f6f9"); }

QColor colorOf(const TimelineRow& row, LaneKind lane, const TimelineData& data, quint32 label) {
    const Theme& t = theme();
    switch (row.kind) {
        case RowKind::Op:
            return t.colorOfKind(data.labels[static_cast<int>(label)]);
        case RowKind::Scope:
            return mix(t.background, t.device, label % 2 == 0 ? 0.30 : 0.42);
        case RowKind::Step:
            return mix(t.background, t.host, label % 2 == 0 ? 0.30 : 0.42);
        case RowKind::Pass:
            return mix(t.background, t.compile, label % 2 == 0 ? 0.40 : 0.60);
        default:
            return hueOf(lane);
    }
}

QColor textOn(const QColor& color) { return color.lightness() > 120 ? QColor("#14181f") : QColor("#ffffff"); }

}  // namespace

const QStaticText& TimelinePainter::text(const QPainter& painter, const TimelineData& data, quint32 label, int width) {
    if (texts_.size() > kMostTexts) {
        texts_.clear();
    }
    const int rounded = std::min(width, 2000) / 4 * 4;
    QStaticText& text = texts_[static_cast<quint64>(label) << 16 | static_cast<quint64>(rounded)];
    if (text.text().isEmpty()) {
        text.setTextFormat(Qt::PlainText);
        text.setText(painter.fontMetrics().elidedText(data.labels[static_cast<int>(label)], Qt::ElideRight, rounded));
        text.prepare(painter.transform(), painter.font());
    }
    return text;
}

void TimelinePainter::paint(QPainter& painter, const TimelineScene& scene) {
    for (const auto& placed : scene.rows) {
        const int top = scene.topOf(placed);
        if (top > scene.height || top + placed.height < TimelineScene::kRulerHeight) {
            continue;
        }
        const TimelineRow& row = scene.rowOf(placed);
        painter.fillRect(QRect(scene.labelWidth, top, scene.width, placed.height), emptyColor());
        if (row.kind == RowKind::Counter) {
            paintCounter(painter, scene, placed);
        } else if (row.kind == RowKind::Launch) {
            paintLaunches(painter, scene, placed);
        } else {
            paintSlices(painter, scene, placed);
        }
    }
    painter.save();
    painter.setClipRect(QRect(scene.labelWidth, TimelineScene::kRulerHeight, scene.width, scene.height));
    paintFlows(painter, scene);
    painter.restore();
    paintLabels(painter, scene);
    paintRuler(painter, scene);
    paintMarked(painter, scene);
}

void TimelinePainter::paintSlices(QPainter& painter, const TimelineScene& scene,
                                  const TimelineScene::PlacedRow& placed) {
    const Theme& t = theme();
    const TimelineLane& lane = scene.data->lanes[placed.lane];
    const TimelineRow& row = scene.rowOf(placed);
    const int top = scene.topOf(placed);
    const int height = placed.height;
    const int left = scene.labelWidth, right = scene.labelWidth + scene.width;
    painter.save();
    painter.setClipRect(QRect(left, top, scene.width, height));
    piecesOf(row, scene.begin, scene.nsPerPixel, scene.width, pieces_);
    const QSet<qint64>& related =
        row.target == Selection::Kind::Transfer ? scene.relatedTransfers : scene.relatedEvents;
    const bool anyRelated =
        !related.isEmpty() && (row.target == Selection::Kind::OpEvent || row.target == Selection::Kind::Transfer);
    // Neighbouring pieces of many with the same colour and height are one rectangle.
    QRect pending;
    QColor pendingColor;
    const auto flush = [&] {
        if (!pending.isNull()) {
            painter.fillRect(pending, pendingColor);
            pending = QRect();
        }
    };
    // Written when the lines of what is modelled have been drawn, not under them.
    struct Name {
        int from, to;
        quint32 label;
        QColor color;
    };
    std::vector<Name> names;
    quint32 lastLabel = 0;
    QColor color;
    for (const auto& piece : pieces_) {
        const quint32 label = row.slices.label(piece.slice);
        if (label != lastLabel || !color.isValid()) {
            color = colors_.contains(label) ? colors_.value(label) : QColor();
            if (!color.isValid() || row.kind != RowKind::Op) {
                color = colorOf(row, lane.kind, *scene.data, label);
            }
            if (row.kind == RowKind::Op) {
                colors_.insert(label, color);
            }
            lastLabel = label;
        }
        const int x0 = std::max(left - 2, left + static_cast<int>(std::floor(piece.x0)));
        const int x1 = std::min(right + 2, std::max(x0 + 1, left + static_cast<int>(std::floor(piece.x1))));
        QRect rect(x0, top, std::max(1, x1 - x0), height);
        if (piece.many) {
            rect.setTop(top + height - std::max(1, static_cast<int>(std::lround(height * piece.fill))));
        } else if (rect.width() > 3) {
            rect.setWidth(rect.width() - 1);
        }
        if (piece.many && row.busy.empty()) {
            if (!pending.isNull() && pendingColor == color && pending.top() == rect.top() &&
                pending.right() + 1 >= rect.left()) {
                pending.setRight(std::max(pending.right(), rect.right()));
            } else {
                flush();
                pending = rect;
                pendingColor = color;
            }
            continue;
        }
        flush();
        painter.fillRect(rect, color);
        if (!piece.many) {
            const qint64 id = row.slices.id(piece.slice);
            const bool chosen = scene.selected.kind == row.target && scene.selected.id == id && id != 0;
            if (chosen || (anyRelated && related.contains(id))) {
                painter.setPen(QPen(chosen ? t.accent : t.related, 2));
                painter.drawRect(rect.adjusted(1, 1, -1, -1));
            }
        }
        if (rect.width() > kTextFrom && (!piece.many || row.busy.empty())) {
            names.push_back({std::max(rect.left(), left), std::min(rect.right(), right), label, textOn(color)});
        }
    }
    flush();
    if (lane.modelled) {
        // Lines in the colour of the empty row: they are seen on what ran, and nowhere else.
        painter.fillRect(QRect(left, top, scene.width, height), QBrush(emptyColor(), Qt::BDiagPattern));
    }
    for (const Name& name : names) {
        const QStaticText& words = text(painter, *scene.data, name.label, name.to - name.from - 9);
        // Dots after a letter or two name nothing.
        if (words.text().size() > 3 || !words.text().endsWith(QChar(0x2026))) {
            painter.setPen(name.color);
            painter.drawStaticText(QPointF(name.from + 5, top + (height - words.size().height()) / 2), words);
        }
    }
    paintFlags(painter, scene, placed);
    painter.restore();
}

// What is hidden in pieces of many still gets a mark.
void TimelinePainter::paintFlags(QPainter& painter, const TimelineScene& scene,
                                 const TimelineScene::PlacedRow& placed) const {
    const TimelineRow& row = scene.rowOf(placed);
    if (!row.busy.empty()) {
        return;
    }
    const auto flag = [&](qint64 id, const QColor& color, double below) {
        const qsizetype slice = row.slices.find(id);
        if (slice >= 0 && static_cast<double>(row.slices.duration(slice)) < scene.nsPerPixel * below) {
            const double x = scene.xOf(static_cast<double>(row.slices.begin(slice)) +
                                       static_cast<double>(row.slices.duration(slice)) / 2);
            painter.fillRect(QRectF(x - 1, scene.topOf(placed), 2.5, placed.height), color);
        }
    };
    const QSet<qint64>& related =
        row.target == Selection::Kind::Transfer ? scene.relatedTransfers : scene.relatedEvents;
    if (row.target == Selection::Kind::OpEvent || row.target == Selection::Kind::Transfer) {
        qsizetype left = kMostFlags;
        for (auto it = related.begin(); it != related.end() && left-- > 0; ++it) {
            flag(*it, theme().related, 1);
        }
    }
    if (scene.selected.kind == row.target && scene.selected.id != 0) {
        flag(scene.selected.id, theme().accent, 2);
    }
}

void TimelinePainter::paintLaunches(QPainter& painter, const TimelineScene& scene,
                                    const TimelineScene::PlacedRow& placed) const {
    // A tick for each pixel in which something was launched, stronger when there was more.
    const int top = scene.topOf(placed);
    const QColor color = theme().host;
    for (const SliceStore& ops : scene.rowOf(placed).launched) {
        qsizetype i = ops.firstLinkFrom(static_cast<qint64>(std::ceil(scene.begin)));
        while (i < ops.size()) {
            const int pixel = static_cast<int>((static_cast<double>(ops.link(i)) - scene.begin) / scene.nsPerPixel);
            if (pixel >= scene.width) {
                break;
            }
            const qsizetype next = std::max(
                i + 1, ops.firstLinkFrom(static_cast<qint64>(scene.begin + (pixel + 1) * scene.nsPerPixel) + 1));
            const int length = next - i > 4 ? placed.height : placed.height * 2 / 3;
            painter.fillRect(QRect(scene.labelWidth + pixel, top + placed.height - length, 1, length), color);
            i = next;
        }
    }
}

void TimelinePainter::paintCounter(QPainter& painter, const TimelineScene& scene,
                                   const TimelineScene::PlacedRow& placed) const {
    const Theme& t = theme();
    const TimelineLane& lane = scene.data->lanes[placed.lane];
    const Counter& counter = *scene.rowOf(placed).counter;
    const int top = scene.topOf(placed);
    std::vector<double> values(static_cast<size_t>(scene.width));
    double most = 0;
    for (int x = 0; x < scene.width; ++x) {
        const double from = scene.begin + x * scene.nsPerPixel;
        values[static_cast<size_t>(x)] = counter.highest(from, from + scene.nsPerPixel);
        most = std::max(most, values[static_cast<size_t>(x)]);
    }
    const double scale = std::max(counter.scale() > 0 ? counter.scale() : most, 1e-9) * 1.08;
    const QColor fill = mix(emptyColor(), t.related, t.dark ? 0.45 : 0.35);
    const QColor edge = t.related;
    for (int x = 0; x < scene.width;) {
        const double value = values[static_cast<size_t>(x)];
        int run = x + 1;
        while (run < scene.width && values[static_cast<size_t>(run)] == value) {
            ++run;
        }
        const int height = static_cast<int>(std::lround(placed.height * value / scale));
        if (height > 0) {
            painter.fillRect(QRect(scene.labelWidth + x, top + placed.height - height, run - x, height), fill);
            painter.fillRect(QRect(scene.labelWidth + x, top + placed.height - height, run - x, 1), edge);
        }
        x = run;
    }
    if (lane.modelled) {
        painter.fillRect(QRect(scene.labelWidth, top, scene.width, placed.height),
                         QBrush(emptyColor(), Qt::BDiagPattern));
    }
}

void TimelinePainter::paintLabels(QPainter& painter, const TimelineScene& scene) const {
    const Theme& t = theme();
    painter.fillRect(QRect(0, TimelineScene::kRulerHeight, scene.labelWidth, scene.height), t.background);
    for (qsizetype i = 0; i < scene.rows.size();) {
        const auto& first = scene.rows[i];
        qsizetype end = i;
        while (end < scene.rows.size() && scene.rows[end].lane == first.lane) {
            ++end;
        }
        const auto& last = scene.rows[end - 1];
        i = end;
        const int top = scene.topOf(first);
        const int bottom = scene.topOf(last) + last.height;
        if (top > scene.height || bottom < TimelineScene::kRulerHeight) {
            continue;
        }
        const TimelineLane& lane = scene.data->lanes[first.lane];
        painter.fillRect(QRect(0, top, 4, bottom - top), hueOf(lane.kind));
        int left = 10;
        const int line = std::min(bottom - top, 24);
        if (scene.closable(first.lane)) {
            const bool closed = scene.closed.contains(lane.name);
            painter.setPen(Qt::NoPen);
            painter.setBrush(t.mutedText);
            const QPointF middle(left + 4, top + line / 2.0);
            painter.setRenderHint(QPainter::Antialiasing, true);
            painter.drawPolygon(
                closed ? QPolygonF({middle + QPointF(-2, -4), middle + QPointF(3, 0), middle + QPointF(-2, 4)})
                       : QPolygonF({middle + QPointF(-4, -2), middle + QPointF(4, -2), middle + QPointF(0, 3)}));
            painter.setRenderHint(QPainter::Antialiasing, false);
            left += 14;
        }
        int room = scene.labelWidth - left - 6;
        painter.setPen(t.text);
        const auto metrics = painter.fontMetrics();
        const bool tall = bottom - top >= 2 * metrics.height();
        const QString word = lane.modelled ? QCoreApplication::translate("timeline", "modelled") : QString();
        const int wordWidth = word.isEmpty() ? 0 : metrics.horizontalAdvance(word) + 10;
        if (!tall) {
            room -= wordWidth;
        }
        painter.drawText(QRect(left, top, room, line), Qt::AlignVCenter | Qt::AlignLeft,
                         metrics.elidedText(lane.name, Qt::ElideMiddle, room));
        if (!word.isEmpty()) {
            const QRect pill = tall ? QRect(left, top + line - 2, wordWidth, metrics.height())
                                    : QRect(scene.labelWidth - wordWidth - 4, top + (line - metrics.height()) / 2,
                                            wordWidth, metrics.height());
            painter.fillRect(pill, QBrush(mix(t.background, hueOf(lane.kind), 0.5), Qt::BDiagPattern));
            painter.setPen(hueOf(lane.kind));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(pill.adjusted(0, 0, -1, -1));
            painter.setPen(t.text);
            painter.drawText(pill, Qt::AlignCenter, word);
        } else if (tall && scene.data->lanes[first.lane].rows[first.row].kind == RowKind::Counter) {
            const auto& counter = *lane.rows[first.row].counter;
            painter.setPen(t.mutedText);
            const QString peak =
                counter.scale() > 0
                    ? QCoreApplication::translate("timeline", "peak %1").arg(counter.text(counter.scale()))
                    : QString();
            painter.drawText(QRect(left, top + line - 4, room, metrics.height()), Qt::AlignVCenter | Qt::AlignLeft,
                             metrics.elidedText(peak, Qt::ElideRight, room));
        }
    }
    painter.setPen(t.border);
    painter.drawLine(scene.labelWidth - 1, TimelineScene::kRulerHeight, scene.labelWidth - 1, scene.height);
}

void TimelinePainter::paintRuler(QPainter& painter, const TimelineScene& scene) const {
    constexpr int height = TimelineScene::kRulerHeight;
    const Theme& t = theme();
    const int right = scene.labelWidth + scene.width + 8;
    painter.fillRect(QRect(0, 0, right, height), t.panel);
    const double step = niceStep(scene.nsPerPixel * 110);
    const double origin = static_cast<double>(scene.data->zero);
    for (double tick = std::ceil((scene.begin - origin) / step); origin + tick * step <= scene.end(); ++tick) {
        const int x = static_cast<int>(scene.xOf(origin + tick * step));
        if (x < scene.labelWidth) {
            continue;
        }
        painter.setPen(t.border);
        painter.drawLine(x, height - 6, x, height);
        QColor line = t.mutedText;
        line.setAlpha(36);
        painter.setPen(line);
        painter.drawLine(x, height, x, scene.height);
        painter.setPen(t.mutedText);
        painter.drawText(QRect(x + 4, 0, 110, height), Qt::AlignVCenter | Qt::AlignLeft,
                         axisTimeText(tick * step, step));
    }
    painter.fillRect(QRect(0, 0, scene.labelWidth, height), t.panel);
    painter.setPen(t.border);
    painter.drawLine(0, height, right, height);
}

void TimelinePainter::paintMarked(QPainter& painter, const TimelineScene& scene) const {
    if (!scene.marked || scene.data->aligned) {
        return;  // the mark is of the run's time
    }
    constexpr int ruler = TimelineScene::kRulerHeight;
    const Theme& t = theme();
    const double x0 = std::max<double>(scene.labelWidth, scene.xOf(static_cast<double>(scene.marked->begin)));
    const double x1 =
        std::min<double>(scene.labelWidth + scene.width, scene.xOf(static_cast<double>(scene.marked->end)));
    if (x1 <= x0) {
        return;
    }
    // What is not marked is dimmed, so that the marked part keeps its colours.
    QColor dim = t.background;
    dim.setAlpha(t.dark ? 150 : 165);
    painter.fillRect(QRectF(scene.labelWidth, ruler, x0 - scene.labelWidth, scene.height - ruler), dim);
    painter.fillRect(QRectF(x1, ruler, scene.labelWidth + scene.width - x1, scene.height - ruler), dim);
    painter.setPen(QPen(t.related, 1));
    painter.drawLine(QPointF(x0, 0), QPointF(x0, scene.height));
    painter.drawLine(QPointF(x1, 0), QPointF(x1, scene.height));
    painter.fillRect(QRectF(x0 + 1, 1, x1 - x0 - 1, ruler - 2), mix(t.panel, t.related, 0.25));
    painter.setPen(t.text);
    painter.drawText(QRectF(x0, 0, x1 - x0, ruler), Qt::AlignCenter,
                     durationText(static_cast<double>(scene.marked->end - scene.marked->begin)));
}

}  // namespace fusescope::gui
