// A flame graph, or the same from the top down (icicle): each box as wide as the time in it. A click selects what the
// box stands for, a double click makes it as wide as the view.
#pragma once

#include <QAbstractScrollArea>
#include <functional>

#include "gui/plots/flame_tree.hpp"

namespace fusescope::gui {

class FlamePlot : public QAbstractScrollArea {
    Q_OBJECT

 public:
    explicit FlamePlot(QWidget* parent = nullptr);

    void setTree(FlameTree tree);
    const FlameTree& tree() const { return tree_; }
    /// The outermost boxes on top instead of at the bottom.
    void setIcicle(bool icicle);
    void setEmptyText(const QString& text);
    /// Outlines the boxes for which this is true.
    void setMarked(std::function<bool(const FlameBox&)> marked);
    void setSelected(const Selection& selection);

    /// The box that fills the width; -1 for the whole.
    int focus() const { return focus_; }
    void focusOn(int box);
    /// Where the box is drawn in the viewport; empty when it is not, or too narrow.
    QRect rectOf(int box) const;

 signals:
    void chosen(const fusescope::gui::Selection& selection);
    void focusChanged();

 protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool viewportEvent(QEvent* event) override;

 private:
    int rowHeight() const;
    int boxAt(const QPoint& position) const;
    void paintBox(QPainter& painter, int box, const QRect& rect) const;
    void paintFrom(QPainter& painter, int box) const;
    void layOut();
    void choose(int box);
    void move(int key);

    FlameTree tree_;
    QString emptyText_;
    std::function<bool(const FlameBox&)> marked_;
    Selection selected_;
    int focus_ = -1;
    int current_ = -1;  ///< where the keyboard is
    bool icicle_ = false;
};

}  // namespace fusescope::gui
