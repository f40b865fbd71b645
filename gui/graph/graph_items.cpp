// Painting of boxes and edges, with less detail the further one zooms out.
#include "gui/graph/graph_items.hpp"

#include <QGraphicsSceneHoverEvent>
#include <QPainter>
#include <QPainterPathStroker>
#include <QStyleOptionGraphicsItem>

#include "gui/app/theme.hpp"

namespace fusescope::gui {

namespace {

constexpr double kTextLod = 0.35;       // smaller than this, letters are dust
constexpr double kEdgeLabelLod = 1.35;  // at this size there is room for types on the edges
constexpr double kRadius = 5;
constexpr double kToggle = 13;

QColor withAlpha(QColor color, int alpha) {
    color.setAlpha(alpha);
    return color;
}

// Dark letters on what is light once it is laid over the background, light ones on what is dark.
QColor textOn(const QColor& fill) {
    if (!fill.isValid() || fill.alpha() < 200) {
        return theme().text;
    }
    return fill.lightness() > 128 ? QColor("#10141a") : QColor("#f2f4f7");
}

}  // namespace

BoxItem::BoxItem(const VisibleBox& box, const QRectF& rect, int index) : box_(box), rect_(rect), index_(index) {
    setZValue(box.expanded ? -10 + 0.001 * index : 2);
    setAcceptHoverEvents(false);
}

void BoxItem::setRect(const QRectF& rect) {
    if (rect != rect_) {
        prepareGeometryChange();
        rect_ = rect;
    }
}

void BoxItem::setMark(Mark mark) {
    if (mark_ != mark) {
        mark_ = mark;
        update();
    }
}

void BoxItem::setCurrent(bool current) {
    if (current_ != current) {
        current_ = current;
        update();
    }
}

void BoxItem::setPaint(const BoxPaint& paint) {
    paint_ = paint;
    update();
}

QRectF BoxItem::toggleRect() const {
    if (!box_.expandable) {
        return {};
    }
    if (box_.expanded) {
        return {rect_.left() + 7, rect_.top() + 7, kToggle, kToggle};
    }
    return {rect_.right() - kToggle - 8, rect_.center().y() - kToggle / 2, kToggle, kToggle};
}

QRectF BoxItem::boundingRect() const { return rect_.adjusted(-kPortRoom - 5, -6, kPortRoom + 5, 8); }

void BoxItem::paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget*) {
    const double lod = option->levelOfDetailFromTransform(painter->worldTransform());
    if (box_.expanded) {
        paintFrame(*painter, lod);
    } else {
        paintBody(*painter, lod);
    }
    if (lod >= kTextLod / 2) {
        paintPorts(*painter);
    }
    if (mark_ != Mark::None || current_) {
        const bool strong = mark_ == Mark::Selected || current_;
        QPen pen(strong ? theme().accent : theme().related, strong ? 3 : 2.4);
        pen.setCosmetic(lod < 0.6);
        painter->setPen(pen);
        painter->setBrush(Qt::NoBrush);
        const double radius = box_.leaf ? rect_.height() / 2 + 2 : kRadius + 2;
        painter->drawRoundedRect(rect_.adjusted(-2.5, -2.5, 2.5, 2.5), radius, radius);
    }
}

void BoxItem::paintFrame(QPainter& painter, double lod) const {
    const QColor hue = paint_.hue.isValid() ? paint_.hue : theme().mutedText;
    const bool kernel = box_.node != 0;
    painter.setPen(QPen(withAlpha(hue, kernel ? 230 : 130), kernel ? 1.6 : 1.1, kernel ? Qt::DashLine : Qt::SolidLine));
    painter.setBrush(withAlpha(hue, kernel ? 30 : theme().dark ? 18 : 12));
    painter.drawRoundedRect(rect_, kRadius + 2, kRadius + 2);
    if (lod < kTextLod) {
        return;
    }
    paintToggle(painter);
    const QRectF area = rect_.adjusted(8 + kToggle + 5, 5, -8, 0);
    painter.setFont(boxTitleFont());
    painter.setPen(theme().text);
    const QFontMetricsF titleMetrics(painter.font());
    const QString sign = paint_.sign.isEmpty() ? QString() : paint_.sign + QStringLiteral("  ");
    const QString title = titleMetrics.elidedText(sign + box_.title, Qt::ElideRight, area.width());
    painter.drawText(area, Qt::AlignLeft | Qt::AlignTop, title);
    const double used = titleMetrics.horizontalAdvance(title) + 8;
    if (area.width() - used > 60) {
        painter.setFont(boxTextFont());
        painter.setPen(theme().mutedText);
        const QRectF rest = area.adjusted(used, 2, 0, 0);
        painter.drawText(rest, Qt::AlignLeft | Qt::AlignTop,
                         QFontMetricsF(painter.font()).elidedText(box_.subtitle, Qt::ElideRight, rest.width()));
    }
}

void BoxItem::paintToggle(QPainter& painter) const {
    const QRectF square = toggleRect();
    painter.setPen(QPen(theme().mutedText, 1));
    painter.setBrush(theme().background);
    painter.drawRoundedRect(square, 2.5, 2.5);
    const QPointF c = square.center();
    painter.drawLine(QPointF(c.x() - 3, c.y()), QPointF(c.x() + 3, c.y()));
    if (!box_.expanded) {
        painter.drawLine(QPointF(c.x(), c.y() - 3), QPointF(c.x(), c.y() + 3));
    }
}

void BoxItem::paintBody(QPainter& painter, double lod) const {
    const Theme& t = theme();
    const bool scope = box_.node == 0;
    const double radius = box_.leaf ? rect_.height() / 2 : kRadius;
    const QColor plain = box_.leaf ? (t.dark ? QColor("#252a32") : QColor("#f3f5f8"))
                         : scope   ? (t.dark ? QColor("#303745") : QColor("#e9eef5"))
                                   : (t.dark ? QColor("#2b313b") : QColor("#ffffff"));
    const QColor outline = paint_.hue.isValid() ? paint_.hue.darker(t.dark ? 105 : 112)
                           : scope              ? t.mutedText
                           : box_.leaf          ? t.border
                                                : t.border.darker(t.dark ? 80 : 115);
    if (box_.hidden > 0) {
        // A second sheet behind says that there is more inside.
        painter.setPen(QPen(t.border, 1));
        painter.setBrush(t.panel);
        painter.drawRoundedRect(rect_.translated(3.5, 3.5), radius, radius);
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(plain);
    painter.drawRoundedRect(rect_, radius, radius);
    painter.setPen(QPen(outline, scope ? 1.0 : 1.2));
    painter.setBrush(paint_.fill.isValid() ? paint_.fill : QColor(Qt::transparent));
    painter.drawRoundedRect(rect_, radius, radius);
    if (paint_.hatched) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(QBrush(withAlpha(t.text, 55), Qt::BDiagPattern));
        painter.drawRoundedRect(rect_, radius, radius);
    }
    if (paint_.hue.isValid() && !box_.leaf) {
        QPainterPath bar;
        bar.addRoundedRect(rect_, radius, radius);
        painter.save();
        painter.setClipPath(bar, Qt::IntersectClip);
        painter.fillRect(QRectF(rect_.left(), rect_.top(), 6, rect_.height()), paint_.hue);
        painter.restore();
    }
    if (lod < kTextLod) {
        return;
    }
    const double right = box_.expandable ? kToggle + 14 : 10;
    QRectF text = rect_.adjusted(12, box_.leaf ? 3 : 6, -right, box_.leaf ? -3 : -6);
    painter.setFont(boxTextFont());
    // The sign stands beside the title, or beside the smaller text when the title leaves no room.
    double signWidth = 0, signWidthBelow = 0;
    if (!paint_.sign.isEmpty()) {
        painter.setPen(textOn(paint_.fill));
        signWidth = QFontMetricsF(painter.font()).horizontalAdvance(paint_.sign) + 6;
        const bool below = !box_.subtitle.isEmpty() &&
                           QFontMetricsF(boxTitleFont()).horizontalAdvance(box_.title) + signWidth > text.width();
        painter.drawText(text, Qt::AlignRight | (below ? Qt::AlignBottom : Qt::AlignTop), paint_.sign);
        if (below) {
            std::swap(signWidth, signWidthBelow);
        }
    }
    painter.setFont(boxTitleFont());
    painter.setPen(textOn(paint_.fill));
    painter.drawText(text, Qt::AlignLeft | (box_.subtitle.isEmpty() ? Qt::AlignVCenter : Qt::AlignTop),
                     QFontMetricsF(painter.font()).elidedText(box_.title, Qt::ElideRight, text.width() - signWidth));
    if (!box_.subtitle.isEmpty()) {
        painter.setFont(boxTextFont());
        painter.setPen(paint_.fill.isValid() && paint_.fill.alpha() >= 200 ? withAlpha(textOn(paint_.fill), 190)
                                                                           : t.mutedText);
        painter.drawText(
            text, Qt::AlignLeft | Qt::AlignBottom,
            QFontMetricsF(painter.font()).elidedText(box_.subtitle, Qt::ElideRight, text.width() - signWidthBelow));
    }
    if (box_.expandable) {
        paintToggle(painter);
    }
}

void BoxItem::paintPorts(QPainter& painter) const {
    if (box_.linksIn + box_.linksOut == 0) {
        return;
    }
    const double y = box_.expanded ? rect_.top() + 13 : rect_.center().y();
    const QColor color = mark_ == Mark::Selected ? theme().accent
                         : theme().dark          ? QColor("#8793a5")
                                                 : QColor("#8591a1");
    painter.setPen(QPen(color, 1.3));
    painter.setBrush(color);
    if (box_.linksIn > 0) {
        painter.drawLine(QPointF(rect_.left() - 10, y), QPointF(rect_.left() - 1, y));
        painter.drawEllipse(QPointF(rect_.left() - 11, y), 2.2, 2.2);
    }
    if (box_.linksOut > 0) {
        painter.drawLine(QPointF(rect_.right() + 1, y), QPointF(rect_.right() + 7, y));
        const QPointF arrow[] = {{rect_.right() + 12, y}, {rect_.right() + 6, y - 3.2}, {rect_.right() + 6, y + 3.2}};
        painter.drawPolygon(arrow, 3);
    }
}

QString edgeText(const VisibleEdge& edge) {
    if (edge.count <= 1) {
        return edge.type;
    }
    return (edge.type.isEmpty() ? QString() : edge.type + QStringLiteral("  ")) +
           QStringLiteral("× %1").arg(edge.count);
}

EdgeItem::EdgeItem(const VisibleEdge& edge, const QPainterPath& path, QPointF tip, double angle, Kind kind)
    : edge_(edge), path_(path), tip_(tip), angle_(angle), kind_(kind) {
    setAcceptHoverEvents(true);
    setZValue(kind == Kind::Link ? 3 : 1);
    setToolTip(edgeText(edge));
}

void EdgeItem::setLit(bool lit) {
    if (lit_ != lit) {
        lit_ = lit;
        update();
    }
}

QRectF EdgeItem::boundingRect() const {
    // Room for the label in the middle and the arrow at the end.
    const QPointF middle = path_.isEmpty() ? tip_ : path_.pointAtPercent(0.5);
    return path_.boundingRect().united(QRectF(middle, QSizeF(0, 0)).adjusted(-90, -14, 90, 14)).adjusted(-8, -8, 8, 8);
}

QPainterPath EdgeItem::shape() const {
    QPainterPathStroker stroker;
    stroker.setWidth(8);
    return stroker.createStroke(path_);
}

void EdgeItem::hoverEnterEvent(QGraphicsSceneHoverEvent*) {
    hovered_ = true;
    update();
}

void EdgeItem::hoverLeaveEvent(QGraphicsSceneHoverEvent*) {
    hovered_ = false;
    update();
}

void EdgeItem::paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget*) {
    if (path_.isEmpty()) {
        return;
    }
    const Theme& t = theme();
    const double lod = option->levelOfDetailFromTransform(painter->worldTransform());
    const QColor color = lit_ ? t.accent : hovered_ ? t.related : t.dark ? QColor("#6c7686") : QColor("#97a1af");
    const double more = edge_.count > 6 ? 1.4 : edge_.count > 1 ? 0.6 : 0;
    QPen pen(color, (lit_ || hovered_ ? 1.9 : 1.1) + more);
    pen.setCosmetic(lod < 0.6);
    if (kind_ == Kind::Link) {
        pen.setStyle(Qt::DashLine);
    }
    painter->setPen(pen);
    painter->setBrush(Qt::NoBrush);
    painter->drawPath(path_);
    if (lod >= kTextLod / 2) {
        painter->save();
        painter->translate(tip_);
        painter->rotate(angle_);
        painter->setPen(Qt::NoPen);
        painter->setBrush(color);
        const QPointF arrow[] = {{0, 0}, {-8, -3.4}, {-8, 3.4}};
        painter->drawPolygon(arrow, 3);
        painter->restore();
    }
    const QString text = edgeText(edge_);
    if ((lod >= kEdgeLabelLod || hovered_ || (lit_ && lod >= 0.7)) && !text.isEmpty()) {
        painter->setFont(boxTextFont());
        const QPointF middle = path_.pointAtPercent(0.5);
        const QFontMetricsF metrics(painter->font());
        QRectF label(0, 0, metrics.horizontalAdvance(text) + 8, metrics.height());
        label.moveCenter(middle);
        painter->setPen(Qt::NoPen);
        painter->setBrush(withAlpha(t.background, 225));
        painter->drawRoundedRect(label, 3, 3);
        painter->setPen(lit_ || hovered_ ? t.text : t.mutedText);
        painter->drawText(label, Qt::AlignCenter, text);
    }
}

}  // namespace fusescope::gui
