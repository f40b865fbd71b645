#include "gui/graph/graph_overlays.hpp"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

#include "gui/app/theme.hpp"
#include "gui/graph/graph_view.hpp"

namespace fusescope::gui {

namespace {

constexpr int kPad = 7;
constexpr int kSwatch = 11;
constexpr int kMapWidth = 128;
constexpr int kMapHeight = 90;

QFont smallFont() {
    QFont font;
    font.setPixelSize(11);
    return font;
}

QFont smallBold() {
    QFont font = smallFont();
    font.setWeight(QFont::DemiBold);
    return font;
}

void paintSheet(QPainter& painter, const QRectF& area) {
    QColor sheet = theme().panel;
    sheet.setAlpha(235);
    painter.setPen(QPen(theme().border, 1));
    painter.setBrush(sheet);
    painter.drawRoundedRect(area, 4, 4);
}

void paintHatch(QPainter& painter, const QRectF& area) {
    QColor ink = theme().text;
    ink.setAlpha(90);
    painter.fillRect(area, QBrush(ink, Qt::BDiagPattern));
}

}  // namespace

LegendOverlay::LegendOverlay(QWidget* parent) : QWidget(parent) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setObjectName(QStringLiteral("graphLegend"));
    hide();
}

void LegendOverlay::setLegend(const GraphLegend& legend) {
    legend_ = legend;
    setVisible(!legend_.entries.isEmpty());
    setAccessibleName(legend_.title);
    updateGeometry();
    adjustSize();
    update();
}

QSize LegendOverlay::sizeHint() const {
    const QFontMetrics bold(smallBold()), text(smallFont());
    int width = bold.horizontalAdvance(legend_.title);
    int rows = 0;
    if (legend_.ramp && legend_.entries.size() >= 2) {
        width = std::max(width, 130);
        rows = 2;
    }
    for (qsizetype i = legend_.ramp ? 2 : 0; i < legend_.entries.size(); ++i) {
        width = std::max(width, kSwatch + 6 + text.horizontalAdvance(legend_.entries[i].text));
        ++rows;
    }
    return {width + 2 * kPad + 2, bold.height() + 2 + rows * (text.height() + 1) + 2 * kPad};
}

void LegendOverlay::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintSheet(painter, QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    const QFontMetrics bold(smallBold()), text(smallFont());
    double y = kPad;
    painter.setFont(smallBold());
    painter.setPen(theme().text);
    painter.drawText(QRectF(kPad, y, width(), bold.height()), Qt::AlignLeft | Qt::AlignVCenter, legend_.title);
    y += bold.height() + 2;
    painter.setFont(smallFont());
    qsizetype first = 0;
    if (legend_.ramp && legend_.entries.size() >= 2) {
        const QRectF bar(kPad, y + 1, width() - 2 * kPad, text.height() - 3);
        QLinearGradient ramp(bar.topLeft(), bar.topRight());
        ramp.setColorAt(0, legend_.entries[0].color);
        ramp.setColorAt(1, legend_.entries[1].color);
        painter.setPen(QPen(theme().border, 1));
        painter.setBrush(ramp);
        painter.drawRect(bar);
        y += text.height() + 1;
        const QRectF ends(kPad, y, width() - 2 * kPad, text.height());
        painter.setPen(theme().mutedText);
        painter.drawText(ends, Qt::AlignLeft | Qt::AlignVCenter, legend_.entries[0].text);
        painter.drawText(ends, Qt::AlignRight | Qt::AlignVCenter, legend_.entries[1].text);
        y += text.height() + 1;
        first = 2;
    }
    for (qsizetype i = first; i < legend_.entries.size(); ++i) {
        const LegendEntry& entry = legend_.entries[i];
        const QRectF swatch(kPad, y + (text.height() - kSwatch) / 2.0, kSwatch, kSwatch);
        if (entry.color.isValid()) {
            painter.fillRect(swatch, entry.color);
        }
        if (entry.hatched) {
            paintHatch(painter, swatch);
        }
        painter.setPen(theme().text);
        painter.drawText(QRectF(kPad + kSwatch + 6, y, width(), text.height()), Qt::AlignLeft | Qt::AlignVCenter,
                         entry.text);
        y += text.height() + 1;
    }
}

Minimap::Minimap(GraphView& view) : QWidget(&view), view_(view) {
    setObjectName(QStringLiteral("graphMinimap"));
    setAccessibleName(tr("Map of the whole graph"));
    setCursor(Qt::PointingHandCursor);
    hide();
}

QSize Minimap::sizeHint() const {
    const QRectF bounds = view_.graph().bounds();
    if (bounds.isEmpty()) {
        return {kMapWidth, kMapHeight};
    }
    // As wide and high as the graph's shape asks for, within limits.
    const double scale = std::min(kMapWidth / bounds.width(), kMapHeight / bounds.height());
    return {std::clamp(static_cast<int>(bounds.width() * scale) + 10, 44, kMapWidth),
            std::clamp(static_cast<int>(bounds.height() * scale) + 10, 44, kMapHeight)};
}

bool Minimap::isUseful() const {
    const QRectF bounds = view_.graph().bounds();
    return !bounds.isEmpty() && !view_.shownRect().contains(bounds.adjusted(8, 8, -8, -8));
}

QTransform Minimap::toMap() const {
    const QRectF bounds = view_.graph().bounds();
    const double scale =
        std::min((width() - 10) / std::max(1.0, bounds.width()), (height() - 10) / std::max(1.0, bounds.height()));
    const QPointF offset((width() - bounds.width() * scale) / 2, (height() - bounds.height() * scale) / 2);
    return QTransform::fromTranslate(-bounds.left(), -bounds.top()) * QTransform::fromScale(scale, scale) *
           QTransform::fromTranslate(offset.x(), offset.y());
}

void Minimap::refresh() {
    adjustSize();
    boxes_ = QPixmap(size() * devicePixelRatioF());
    boxes_.setDevicePixelRatio(devicePixelRatioF());
    boxes_.fill(Qt::transparent);
    QPainter painter(&boxes_);
    painter.setRenderHint(QPainter::Antialiasing);
    const QTransform map = toMap();
    const auto& layout = view_.graph().layout();
    for (int i = 0; i < layout.boxes.size(); ++i) {
        const bool frame = layout.graph.boxes[i].expanded;
        const BoxPaint& paint = view_.graph().boxes().value(i)->boxPaint();
        QColor color = paint.hue.isValid() ? paint.hue : paint.fill.isValid() ? paint.fill : theme().mutedText;
        color.setAlpha(frame ? 40 : 220);
        QRectF rect = map.mapRect(layout.boxes[i]);
        rect.setSize(rect.size().expandedTo({1.2, 1.2}));
        painter.fillRect(rect, color);
    }
    update();
}

void Minimap::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintSheet(painter, QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    painter.drawPixmap(0, 0, boxes_);
    const QRectF shown = toMap().mapRect(view_.shownRect()).intersected(QRectF(rect()).adjusted(2, 2, -2, -2));
    QColor glass = theme().accent;
    painter.setPen(QPen(glass, 1.4));
    glass.setAlpha(30);
    painter.setBrush(glass);
    painter.drawRect(shown);
}

void Minimap::go(const QPointF& position) {
    view_.goTo(toMap().inverted().map(position));
    update();
}

void Minimap::mousePressEvent(QMouseEvent* event) { go(event->position()); }

void Minimap::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons() & Qt::LeftButton) {
        go(event->position());
    }
}

}  // namespace fusescope::gui
