// Painted by itself: a chart library would make an object of each box.
#include "gui/plots/flame_plot.hpp"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>

#include "gui/app/theme.hpp"
#include "gui/widgets/format.hpp"

namespace fusescope::gui {

namespace {

constexpr int kMargin = 6;
constexpr int kTextFrom = 26;  // pixels a box must be wide to carry a name

}  // namespace

FlamePlot::FlamePlot(QWidget* parent) : QAbstractScrollArea(parent) {
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(tr("Time from the outside in"));
    setAccessibleDescription(
        tr("Boxes as wide as the time in them. Arrow keys go from box to box, Enter widens one, Backspace goes back"));
    setMinimumSize(120, 60);
    connect(verticalScrollBar(), &QScrollBar::valueChanged, viewport(), qOverload<>(&QWidget::update));
}

void FlamePlot::setTree(FlameTree tree) {
    tree_ = std::move(tree);
    current_ = -1;
    focus_ = -1;
    layOut();
    emit focusChanged();
}

void FlamePlot::setIcicle(bool icicle) {
    icicle_ = icicle;
    layOut();
}

void FlamePlot::setEmptyText(const QString& text) {
    emptyText_ = text;
    viewport()->update();
}

void FlamePlot::setMarked(std::function<bool(const FlameBox&)> marked) {
    marked_ = std::move(marked);
    viewport()->update();
}

void FlamePlot::setSelected(const Selection& selection) {
    selected_ = selection;
    viewport()->update();
}

void FlamePlot::focusOn(int box) {
    focus_ = box;
    layOut();
    emit focusChanged();
}

int FlamePlot::rowHeight() const { return fontMetrics().height() + 5; }

void FlamePlot::layOut() {
    const int height = tree_.depth * rowHeight() + 2 * kMargin;
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(rowHeight());
    verticalScrollBar()->setRange(0, std::max(0, height - viewport()->height()));
    // What is outermost is what one looks for first.
    verticalScrollBar()->setValue(icicle_ ? 0 : verticalScrollBar()->maximum());
    viewport()->update();
}

void FlamePlot::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    layOut();
}

QRect FlamePlot::rectOf(int box) const {
    const FlameBox& b = tree_.boxes[box];
    const double begin = focus_ >= 0 ? static_cast<double>(tree_.boxes[focus_].begin) : 0;
    const double all = static_cast<double>(std::max<qint64>(1, focus_ >= 0 ? tree_.boxes[focus_].total : tree_.total));
    const int width = viewport()->width() - 2 * kMargin;
    const auto x = [&](double time) {
        return kMargin + static_cast<int>(std::clamp((time - begin) / all, 0.0, 1.0) * width);
    };
    const int left = x(static_cast<double>(b.begin)), right = x(static_cast<double>(b.begin + b.total));
    const int row = rowHeight();
    const int content = std::max(tree_.depth * row + 2 * kMargin, icicle_ ? 0 : viewport()->height());
    const int top = icicle_ ? kMargin + b.depth * row : content - kMargin - (b.depth + 1) * row;
    return {left, top - verticalScrollBar()->value(), right - left, row - 1};
}

void FlamePlot::paintBox(QPainter& painter, int box, const QRect& rect) const {
    const Theme& t = theme();
    const FlameBox& b = tree_.boxes[box];
    const QColor hue = b.op ? t.colorOfKind(b.label) : t.host;
    // Lines and Cells are pale and the ops in them are not: where the time goes in the end is what stands out.
    QColor fill = hue;
    if (!b.op) {
        const double share = 0.22 + 0.10 * (b.depth % 2);
        const auto mix = [share](int from, int to) { return static_cast<int>(from + (to - from) * share); };
        fill = QColor(mix(t.background.red(), hue.red()), mix(t.background.green(), hue.green()),
                      mix(t.background.blue(), hue.blue()));
    }
    const QRect inner = rect.width() > 3 ? rect.adjusted(0, 0, -1, 0) : rect;
    painter.fillRect(inner, fill);
    if (tree_.modelled) {
        painter.fillRect(inner, QBrush(t.background, Qt::BDiagPattern));
    }
    const bool chosen = !selected_.isNone() && b.target == selected_;
    if (chosen || (marked_ && marked_(b)) || (box == current_ && hasFocus())) {
        painter.setPen(QPen(chosen || box == current_ ? t.accent : t.related, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(inner.adjusted(1, 1, -1, -1));
    }
    if (rect.width() > kTextFrom) {
        const QString name = fontMetrics().elidedText(b.label, Qt::ElideRight, rect.width() - 10);
        if (name.size() > 3 || name == b.label) {
            painter.setPen(b.op ? (fill.lightness() > 120 ? QColor("#14181f") : QColor("#ffffff")) : t.text);
            painter.drawText(inner.adjusted(5, 0, -3, 0), Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, name);
        }
    }
}

void FlamePlot::paintFrom(QPainter& painter, int box) const {
    const QRect rect = rectOf(box);
    if (rect.width() < 1) {
        return;  // nor is anything in it wider
    }
    if (rect.bottom() >= 0 && rect.top() <= viewport()->height()) {
        paintBox(painter, box, rect);
    }
    const FlameBox& b = tree_.boxes[box];
    for (int i = 0; i < b.childCount; ++i) {
        paintFrom(painter, b.firstChild + i);
    }
}

void FlamePlot::paintEvent(QPaintEvent*) {
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), theme().background);
    if (tree_.boxes.isEmpty()) {
        painter.setPen(theme().mutedText);
        painter.drawText(viewport()->rect(), Qt::AlignCenter | Qt::TextWordWrap, emptyText_);
        return;
    }
    if (focus_ >= 0) {
        paintFrom(painter, focus_);
        for (int box = tree_.boxes[focus_].parent; box >= 0; box = tree_.boxes[box].parent) {
            paintBox(painter, box, rectOf(box));
        }
    } else {
        for (int i = 0; i < tree_.outermost; ++i) {
            paintFrom(painter, i);
        }
    }
}

int FlamePlot::boxAt(const QPoint& position) const {
    // Level by level towards the inside; outside of the focus only what holds it is drawn.
    int first = 0, count = tree_.outermost;
    while (count > 0) {
        int inside = -1;
        for (int i = first; i < first + count; ++i) {
            const QRect rect = rectOf(i);
            if (rect.width() > 0 && position.x() >= rect.left() && position.x() <= rect.right()) {
                inside = i;
                break;
            }
        }
        if (inside < 0) {
            return -1;
        }
        const QRect rect = rectOf(inside);
        if (position.y() >= rect.top() && position.y() <= rect.bottom()) {
            return inside;
        }
        first = tree_.boxes[inside].firstChild;
        count = tree_.boxes[inside].childCount;
    }
    return -1;
}

void FlamePlot::choose(int box) {
    current_ = box;
    viewport()->update();
    if (!tree_.boxes[box].target.isNone()) {
        emit chosen(tree_.boxes[box].target);
    }
}

void FlamePlot::mouseReleaseEvent(QMouseEvent* event) {
    const int box = boxAt(event->pos());
    if (event->button() == Qt::LeftButton && box >= 0) {
        choose(box);
    }
}

void FlamePlot::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && !tree_.boxes.isEmpty()) {
        const int box = boxAt(event->pos());
        focusOn(box == focus_ && box >= 0 ? tree_.boxes[box].parent : box);
    }
}

void FlamePlot::move(int key) {
    if (current_ < 0 || current_ >= tree_.boxes.size()) {
        choose(0);
        return;
    }
    const FlameBox& b = tree_.boxes[current_];
    const int inward = icicle_ ? Qt::Key_Down : Qt::Key_Up;
    if (key == Qt::Key_Left || key == Qt::Key_Right) {
        const int next = current_ + (key == Qt::Key_Left ? -1 : 1);
        if (next >= 0 && next < tree_.boxes.size() && tree_.boxes[next].parent == b.parent) {
            choose(next);
        }
    } else if (key == inward) {
        if (b.childCount > 0) {
            choose(b.firstChild);
        }
    } else if (b.parent >= 0) {
        choose(b.parent);
    }
}

void FlamePlot::keyPressEvent(QKeyEvent* event) {
    if (tree_.boxes.isEmpty()) {
        QAbstractScrollArea::keyPressEvent(event);
        return;
    }
    switch (event->key()) {
        case Qt::Key_Left:
        case Qt::Key_Right:
        case Qt::Key_Up:
        case Qt::Key_Down:
            move(event->key());
            break;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            focusOn(current_);
            break;
        case Qt::Key_Backspace:
            focusOn(focus_ >= 0 ? tree_.boxes[focus_].parent : -1);
            break;
        case Qt::Key_F:
            focusOn(-1);
            break;
        default:
            QAbstractScrollArea::keyPressEvent(event);
    }
}

bool FlamePlot::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int at = boxAt(help->pos());
        if (at < 0) {
            QToolTip::hideText();
            return true;
        }
        const FlameBox& box = tree_.boxes[at];
        QString text = box.label;
        if (!box.detail.isEmpty() && box.detail != box.label) {
            text += QStringLiteral("\n") + box.detail;
        }
        text += tr("\n%1%2 in %3 ops · %4 of the whole")
                    .arg(durationText(static_cast<double>(box.total)), tree_.modelled ? tr(" (modelled)") : QString(),
                         integerText(box.calls),
                         percentText(static_cast<double>(box.total) /
                                     static_cast<double>(std::max<qint64>(1, tree_.total))));
        QToolTip::showText(help->globalPos(), text, viewport());
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

}  // namespace fusescope::gui
