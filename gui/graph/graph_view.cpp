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

GraphView::GraphView(QWidget* parent) : QGraphicsView(parent), scene_(new GraphScene(this)) {
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
}

void GraphView::showStart() {
    fit();
    if (scene_->isEmpty() || transform().m11() >= kLegible) {
        return;
    }
    setTransform(QTransform::fromScale(kReadable, kReadable));
    // The first box in the order of the stage is an input: at the top, though seldom in its middle.
    const QRectF bounds = scene_->bounds();
    const double height = viewport()->height() / kReadable;
    centerOn(scene_->boxes().front()->rect().center().x(), bounds.top() + height / 2 - 16);
    touched_ = true;
}

void GraphView::zoomBy(double factor) {
    const double now = transform().m11();
    const double next = std::clamp(now * factor, kSmallest, kLargest);
    scale(next / now, next / now);
    touched_ = true;
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
    const BoxItem* box = scene_->boxAt(mapToScene(event->pos()), viewportTransform());
    if (!box) {
        emit backgroundClicked();
    } else if (box->box().node != 0) {
        emit nodeClicked(box->box().node);
    }
}

void GraphView::mouseDoubleClickEvent(QMouseEvent* event) {
    const BoxItem* box = scene_->boxAt(mapToScene(event->pos()), viewportTransform());
    if (box && box->box().expandable) {
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
        case Qt::Key_Up:
        case Qt::Key_Down:
        case Qt::Key_Left:
        case Qt::Key_Right:
            step(static_cast<Qt::Key>(event->key()));
            break;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            for (const BoxItem* box : scene_->boxes()) {
                if (box->mark() == BoxItem::Mark::Selected && box->box().expandable) {
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
        if (box->mark() == BoxItem::Mark::Selected) {
            from = box;
        }
    }
    const BoxItem* best = nullptr;
    double bestDistance = 0;
    for (const BoxItem* box : scene_->boxes()) {
        if (box == from || box->box().node == 0 || box->box().expanded) {
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
        emit nodeClicked(best->box().node);
    }
}

void GraphView::resizeEvent(QResizeEvent* event) {
    QGraphicsView::resizeEvent(event);
    if (!touched_) {
        fit();
    }
}

void GraphView::changeEvent(QEvent* event) {
    QGraphicsView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        setBackgroundBrush(theme().background);
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
