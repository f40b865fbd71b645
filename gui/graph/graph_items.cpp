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

QColor withAlpha(QColor color, int alpha) {
    color.setAlpha(alpha);
    return color;
}

}  // namespace

BoxItem::BoxItem(const VisibleBox& box, const QRectF& rect, int index) : box_(box), rect_(rect), index_(index) {
    setZValue(box.expanded ? -10 + 0.01 * index : 2);
    setAcceptHoverEvents(false);
}

void BoxItem::setMark(Mark mark) {
    if (mark_ != mark) {
        mark_ = mark;
        update();
    }
}

void BoxItem::setColoring(GraphColoring coloring, const QString& colorName, double share, bool modelled) {
    coloring_ = coloring;
    colorName_ = colorName;
    share_ = share;
    modelled_ = modelled;
    update();
}

QRectF BoxItem::boundingRect() const { return rect_.adjusted(-5, -5, 5, 5); }

void BoxItem::paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget*) {
    const double lod = option->levelOfDetailFromTransform(painter->worldTransform());
    if (box_.expanded) {
        paintFrame(*painter);
    } else {
        paintBody(*painter, lod);
    }
    if (mark_ != Mark::None) {
        QPen pen(mark_ == Mark::Selected ? theme().accent : theme().related, mark_ == Mark::Selected ? 3 : 2.4);
        pen.setCosmetic(lod < 0.6);
        painter->setPen(pen);
        painter->setBrush(Qt::NoBrush);
        painter->drawRoundedRect(rect_.adjusted(-2.5, -2.5, 2.5, 2.5), kRadius + 2, kRadius + 2);
    }
}

void BoxItem::paintFrame(QPainter& painter) const {
    const QColor hue = colorName_.isEmpty() ? theme().border : theme().colorOfKind(colorName_);
    painter.setPen(QPen(withAlpha(hue, 200), 1.4, Qt::DashLine));
    painter.setBrush(withAlpha(hue, 28));
    painter.drawRoundedRect(rect_, kRadius, kRadius);
    painter.setFont(boxTextFont());
    painter.setPen(theme().mutedText);
    const QString text = box_.subtitle.isEmpty() ? box_.title : box_.title + QStringLiteral("  ") + box_.subtitle;
    painter.drawText(rect_.adjusted(8, 4, -8, 0), Qt::AlignLeft | Qt::AlignTop,
                     painter.fontMetrics().elidedText(text, Qt::ElideRight, static_cast<int>(rect_.width()) - 16));
}

void BoxItem::paintBody(QPainter& painter, double lod) const {
    const Theme& t = theme();
    const bool byTime = coloring_ == GraphColoring::Time;
    const QColor hue = byTime ? t.colorOfShare(share_) : colorName_.isEmpty() ? t.border : t.colorOfKind(colorName_);
    const double radius = box_.leaf ? rect_.height() / 2 : kRadius;
    QColor fill = t.dark ? QColor("#2b313b") : QColor("#ffffff");
    if (byTime && share_ >= 0 && !box_.leaf) {
        fill = hue;
    } else if (box_.leaf) {
        fill = t.dark ? QColor("#252a32") : QColor("#f3f5f8");
    }
    if (box_.hidden > 0) {
        // A second sheet behind says that there is more inside.
        painter.setPen(QPen(t.border, 1));
        painter.setBrush(t.panel);
        painter.drawRoundedRect(rect_.translated(3.5, 3.5), radius, radius);
    }
    painter.setPen(QPen(box_.leaf ? t.border : byTime ? t.border : hue.darker(t.dark ? 110 : 115), 1.2));
    painter.setBrush(fill);
    painter.drawRoundedRect(rect_, radius, radius);
    if (byTime && modelled_ && share_ >= 0) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(QBrush(withAlpha(t.text, 60), Qt::BDiagPattern));
        painter.drawRoundedRect(rect_, radius, radius);
    }
    if (!byTime && !box_.leaf) {
        QPainterPath bar;
        bar.addRoundedRect(rect_, radius, radius);
        painter.save();
        painter.setClipPath(bar);
        painter.fillRect(QRectF(rect_.left(), rect_.top(), 6, rect_.height()), hue);
        painter.restore();
    }
    if (lod < kTextLod) {
        return;
    }
    QRectF text =
        rect_.adjusted(12, box_.leaf ? 3 : 6, box_.hidden > 0 && box_.node != 0 ? -30 : -10, box_.leaf ? -3 : -6);
    painter.setFont(boxTitleFont());
    painter.setPen(byTime && share_ > 0.5 ? QColor("#10141a") : t.text);
    painter.drawText(text, Qt::AlignLeft | (box_.subtitle.isEmpty() ? Qt::AlignVCenter : Qt::AlignTop),
                     painter.fontMetrics().elidedText(box_.title, Qt::ElideRight, static_cast<int>(text.width())));
    if (!box_.subtitle.isEmpty()) {
        painter.setFont(boxTextFont());
        painter.setPen(byTime && share_ > 0.5 ? QColor("#2a2f38") : t.mutedText);
        painter.drawText(
            text, Qt::AlignLeft | Qt::AlignBottom,
            painter.fontMetrics().elidedText(box_.subtitle, Qt::ElideRight, static_cast<int>(text.width())));
    }
    if (box_.hidden > 0 && box_.node != 0) {
        painter.setFont(boxTextFont());
        painter.setPen(t.mutedText);
        painter.drawText(rect_.adjusted(0, 6, -10, -6), Qt::AlignRight | Qt::AlignVCenter,
                         QStringLiteral("+%1").arg(box_.hidden));
    }
}

EdgeItem::EdgeItem(const VisibleEdge& edge, const QPainterPath& path, QPointF tip, double angle)
    : edge_(edge), path_(path), tip_(tip), angle_(angle) {
    setAcceptHoverEvents(true);
    setZValue(1);
    QString tip_text = edge.type;
    if (edge.count > 1) {
        tip_text += (tip_text.isEmpty() ? QString() : QStringLiteral("  ")) + QStringLiteral("× %1").arg(edge.count);
    }
    setToolTip(tip_text);
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
    QPen pen(color, (lit_ || hovered_ ? 1.9 : 1.1) + (edge_.count > 1 ? 0.6 : 0));
    pen.setCosmetic(lod < 0.6);
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
    if ((lod >= kEdgeLabelLod || hovered_ || (lit_ && lod >= 0.7)) && !edge_.type.isEmpty()) {
        painter->setFont(boxTextFont());
        const QPointF middle = path_.pointAtPercent(0.5);
        QRectF label(0, 0, painter->fontMetrics().horizontalAdvance(edge_.type) + 8, painter->fontMetrics().height());
        label.moveCenter(middle);
        painter->setPen(Qt::NoPen);
        painter->setBrush(withAlpha(t.background, 225));
        painter->drawRoundedRect(label, 3, 3);
        painter->setPen(lit_ || hovered_ ? t.text : t.mutedText);
        painter->drawText(label, Qt::AlignCenter, edge_.type);
    }
}

}  // namespace fusescope::gui
