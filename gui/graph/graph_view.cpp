// Mouse and keys of the graph.
#include "gui/graph/graph_view.hpp"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "gui/app/theme.hpp"

namespace fusescope::gui {

namespace {

constexpr double kSmallest = 0.01;
constexpr double kLargest = 6;
constexpr double kReadable = 0.55;  // zoom at which box titles can be read
constexpr double kLegible = 0.3;    // below this, a picture of the whole tells little
constexpr double kFitLargest = 1.25;

}  // namespace

GraphView::GraphView(QWidget* parent)
    : QGraphicsView(parent),
      scene_(new GraphScene(this)),
      legend_(new LegendOverlay(this)),
      minimap_(new Minimap(*this)) {
    setScene(scene_);
    setRenderHint(QPainter::Antialiasing);
    setDragMode(QGraphicsView::ScrollHandDrag);
    setTransformationAnchor(QGraphicsView::AnchorUnderMouse);
    setViewportUpdateMode(QGraphicsView::SmartViewportUpdate);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFrameShape(QFrame::NoFrame);
    viewport()->setCursor(Qt::ArrowCursor);
    setMinimumSize(160, 120);
    setAcceptDrops(false);  // files that are dropped are for the window
    setBackgroundBrush(theme().background);
    connect(scene_, &GraphScene::repainted, this, [this] {
        legend_->setLegend(scene_->isEmpty() ? GraphLegend() : scene_->legend());
        placeOverlays();
    });
}

QRectF GraphView::shownRect() const { return mapToScene(viewport()->rect()).boundingRect(); }

void GraphView::goTo(const QPointF& scenePoint) {
    centerOn(scenePoint);
    touched_ = true;
    emit movedByUser(1);
}

void GraphView::moveTo(const QPointF& scenePoint, double zoom) {
    const double scale = std::clamp(transform().m11() * zoom, kSmallest, kLargest);
    setTransform(QTransform::fromScale(scale, scale));
    centerOn(scenePoint);
    touched_ = true;
    placeOverlays();
}

void GraphView::setMinimapShown(bool shown) {
    minimapShown_ = shown;
    placeOverlays();
}

void GraphView::setLegendShown(bool shown) {
    legendShown_ = shown;
    placeOverlays();
}

// Neither is of use when it takes up a good part of what it lies on.
void GraphView::placeOverlays() {
    constexpr int gap = 8;
    // Op kinds stand in the boxes themselves; the other colours can only be read with their legend.
    const bool told = scene_->coloring() == GraphColoring::Kind;
    const QSize room(width() * (told ? 4 : 6) / 10, height() * (told ? 4 : 5) / 10);
    const QSize legendSize = legend_->sizeHint();
    const bool legend = legendShown_ && !scene_->isEmpty() && !legend_->legend().entries.isEmpty() &&
                        legendSize.width() <= room.width() && legendSize.height() <= room.height();
    legend_->setVisible(legend);
    if (legend) {
        legend_->setGeometry(
            QRect(QPoint(width() - legendSize.width() - gap, height() - legendSize.height() - gap), legendSize));
    }
    const QSize mapSize = minimap_->sizeHint();
    const bool map = minimapShown_ && !scene_->isEmpty() && minimap_->isUseful() && mapSize.width() <= room.width() &&
                     mapSize.height() <= room.height();
    minimap_->setVisible(map);
    if (map) {
        minimap_->move(width() - mapSize.width() - gap, gap);
        minimap_->refresh();
    }
}

void GraphView::scrollContentsBy(int dx, int dy) {
    QGraphicsView::scrollContentsBy(dx, dy);
    viewport()->update();  // the notice and the overlays stay where they are
    if (minimapShown_ && minimap_->isVisible() != minimap_->isUseful()) {
        placeOverlays();
    }
    minimap_->update();
}

void GraphView::setMessage(const QString& message) {
    message_ = message;
    viewport()->update();
}

void GraphView::setNotice(const QString& notice) {
    notice_ = notice;
    viewport()->update();
}

void GraphView::fit() {
    if (scene_->isEmpty()) {
        return;
    }
    const QRectF bounds = scene_->bounds().adjusted(-16, -16, 16, 16);
    const double scale = std::clamp(
        std::min(viewport()->width() / bounds.width(), viewport()->height() / bounds.height()), kSmallest, kFitLargest);
    setTransform(QTransform::fromScale(scale, scale));
    centerOn(bounds.center());
    touched_ = false;
    placeOverlays();
}

void GraphView::showStart() {
    fit();
    if (scene_->isEmpty() || transform().m11() >= kLegible) {
        return;
    }
    const QRectF bounds = scene_->bounds();
    const double wide = std::min(kFitLargest, viewport()->width() / (bounds.width() + 32));
    const double scale = wide >= kLegible ? std::min(wide, 1.0) : kReadable;
    setTransform(QTransform::fromScale(scale, scale));
    // The first box in the order of the stage is an input: at the top, though seldom in its middle.
    const double middle = wide >= kLegible ? bounds.center().x() : scene_->boxes().front()->rect().center().x();
    centerOn(middle, bounds.top() + viewport()->height() / scale / 2 - 16);
    touched_ = true;
    placeOverlays();
}

void GraphView::zoomBy(double factor) {
    const double now = transform().m11();
    const double next = std::clamp(now * factor, kSmallest, kLargest);
    scale(next / now, next / now);
    touched_ = true;
    placeOverlays();
    emit movedByUser(next / now);
}

void GraphView::reveal(qint64 node) {
    BoxItem* box = scene_->boxOf(node);
    if (!box) {
        return;
    }
    if (transform().m11() < kReadable) {
        setTransform(QTransform::fromScale(0.85, 0.85));
        centerOn(box->rect().center());
        touched_ = true;
        return;
    }
    const QRectF visible = mapToScene(viewport()->rect()).boundingRect();
    if (!visible.contains(box->rect())) {
        centerOn(box->rect().center());
        touched_ = true;
    }
}

void GraphView::wheelEvent(QWheelEvent* event) {
    if (event->angleDelta().y() != 0) {
        zoomBy(std::pow(1.0015, event->angleDelta().y()));
    }
    event->accept();
}

void GraphView::mousePressEvent(QMouseEvent* event) {
    pressed_ = event->pos();
    QGraphicsView::mousePressEvent(event);
}

void GraphView::mouseMoveEvent(QMouseEvent* event) {
    QGraphicsView::mouseMoveEvent(event);
    if (event->buttons() & Qt::LeftButton) {
        emit movedByUser(1);
    }
}

void GraphView::mouseReleaseEvent(QMouseEvent* event) {
    QGraphicsView::mouseReleaseEvent(event);
    viewport()->setCursor(Qt::ArrowCursor);
    if (event->button() != Qt::LeftButton) {
        return;
    }
    if ((event->pos() - pressed_).manhattanLength() >= QApplication::startDragDistance()) {
        touched_ = true;
        return;
    }
    const QPointF point = mapToScene(event->pos());
    const BoxItem* box = scene_->boxAt(point, viewportTransform());
    if (!box) {
        scene_->setCurrent({});
        emit backgroundClicked();
    } else if (box->toggleRect().adjusted(-2, -2, 2, 2).contains(point)) {
        emit boxToggled(box->box().key);
    } else {
        choose(*box);
    }
}

void GraphView::choose(const BoxItem& box) {
    if (box.box().node != 0) {
        emit nodeClicked(box.box().node);
    } else {
        // A scope is no row of the profile: only the keyboard goes there.
        const QString key = box.box().key;
        if (scene_->selected() != 0) {
            emit backgroundClicked();
        }
        scene_->setCurrent(key);
        scene_->setMarks(0, {});
    }
}

void GraphView::mouseDoubleClickEvent(QMouseEvent* event) {
    const BoxItem* box = scene_->boxAt(mapToScene(event->pos()), viewportTransform());
    if (box && box->box().expandable && !box->toggleRect().adjusted(-2, -2, 2, 2).contains(mapToScene(event->pos()))) {
        emit boxToggled(box->box().key);
    }
}

void GraphView::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_F:
            fit();
            break;
        case Qt::Key_Plus:
        case Qt::Key_Equal:
            zoomBy(1.25);
            break;
        case Qt::Key_Minus:
            zoomBy(0.8);
            break;
        case Qt::Key_U:
            emit followAsked(Follow::Up);
            break;
        case Qt::Key_D:
            emit followAsked(Follow::Down);
            break;
        case Qt::Key_B:
            emit followAsked(Follow::Both);
            break;
        case Qt::Key_Escape:
            if (scene_->follow() == Follow::None) {
                QGraphicsView::keyPressEvent(event);
            }
            emit followAsked(Follow::None);
            break;
        case Qt::Key_Up:
        case Qt::Key_Down:
            if (event->modifiers() & Qt::ControlModifier) {
                stepAlong(event->key() == Qt::Key_Up);
                break;
            }
            [[fallthrough]];
        case Qt::Key_Left:
        case Qt::Key_Right:
            step(static_cast<Qt::Key>(event->key()));
            break;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            for (const BoxItem* box : scene_->boxes()) {
                const bool here = scene_->current().isEmpty() ? box->mark() == BoxItem::Mark::Selected
                                                              : box->box().key == scene_->current();
                if (here && box->box().expandable) {
                    emit boxToggled(box->box().key);
                    break;
                }
            }
            break;
        default:
            QGraphicsView::keyPressEvent(event);
    }
}

// Goes from the selected box to the nearest one in that direction, so that the graph can be walked by keyboard.
void GraphView::step(Qt::Key key) {
    const BoxItem* from = nullptr;
    for (const BoxItem* box : scene_->boxes()) {
        if (scene_->current().isEmpty() ? box->mark() == BoxItem::Mark::Selected
                                        : box->box().key == scene_->current()) {
            from = box;
        }
    }
    const BoxItem* best = nullptr;
    double bestDistance = 0;
    for (const BoxItem* box : scene_->boxes()) {
        if (box == from || box->box().expanded) {
            continue;
        }
        const QPointF delta = from ? box->rect().center() - from->rect().center()
                                   : box->rect().center() - mapToScene(viewport()->rect().center());
        const double along = key == Qt::Key_Up     ? -delta.y()
                             : key == Qt::Key_Down ? delta.y()
                             : key == Qt::Key_Left ? -delta.x()
                                                   : delta.x();
        const double across = key == Qt::Key_Up || key == Qt::Key_Down ? std::abs(delta.x()) : std::abs(delta.y());
        if (from && along < 5) {
            continue;
        }
        const double distance = std::abs(along) + 2 * across;
        if (!best || distance < bestDistance) {
            best = box;
            bestDistance = distance;
        }
    }
    if (best) {
        const QRectF rect = best->rect();
        choose(*best);
        if (!shownRect().contains(rect)) {
            ensureVisible(rect, 40, 40);
        }
    }
}

// Goes to what feeds the selected node, or to what reads it; again and again along the same tensor.
void GraphView::stepAlong(bool up) {
    const GraphData* data = scene_->data();
    if (!data || scene_->selected() == 0) {
        return;
    }
    for (const qint64 next : neighbours(*data, scene_->selected(), up)) {
        if (scene_->visible().boxOf(next) >= 0) {
            emit nodeClicked(next);
            return;
        }
    }
}

void GraphView::resizeEvent(QResizeEvent* event) {
    QGraphicsView::resizeEvent(event);
    if (!touched_) {
        fit();
    }
    placeOverlays();
}

void GraphView::changeEvent(QEvent* event) {
    QGraphicsView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        setBackgroundBrush(theme().background);
        scene_->setColoring(scene_->coloring());  // the theme's colours are other ones
        viewport()->update();
    }
}

void GraphView::drawForeground(QPainter* painter, const QRectF&) {
    if (message_.isEmpty() && notice_.isEmpty()) {
        return;
    }
    painter->save();
    painter->resetTransform();
    painter->setFont(font());
    const QRect area = viewport()->rect().adjusted(12, 8, -12, -8);
    painter->setPen(theme().mutedText);
    if (!message_.isEmpty()) {
        painter->drawText(area, Qt::AlignCenter | Qt::TextWordWrap, message_);
    }
    if (!notice_.isEmpty()) {
        QRect box =
            painter->fontMetrics().boundingRect(area, Qt::AlignLeft | Qt::AlignBottom | Qt::TextWordWrap, notice_);
        painter->fillRect(box.adjusted(-6, -3, 6, 3), theme().panel);
        painter->drawText(area, Qt::AlignLeft | Qt::AlignBottom | Qt::TextWordWrap, notice_);
    }
    painter->restore();
}

}  // namespace fusescope::gui
