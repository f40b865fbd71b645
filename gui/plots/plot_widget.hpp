// What all plots share: a QCustomPlot that is built when it is seen, and again when colours or fonts change.
#pragma once

#include <QWidget>

class QCustomPlot;

namespace fusescope::gui {

class PlotWidget : public QWidget {
    Q_OBJECT

 public:
    /// Events of the plot come to eventFilter(), which turns them into textAt() and click().
    PlotWidget(const QString& accessibleName, QWidget* parent);

 protected:
    /// Draws the data anew, in the colours and fonts of now; does nothing while hidden.
    void rebuild();
    /// Puts the data into plot_, which is empty and styled.
    virtual void draw() = 0;
    /// What is told of the place under the mouse; empty for nothing.
    virtual QString textAt(const QPoint& pixel) const;
    /// The left button went up there.
    virtual void click(const QPointF& pixel);
    bool eventFilter(QObject* watched, QEvent* event) override;
    /// A sentence in the middle of a plot that has nothing to draw.
    void showText(const QString& text);
    /// Beside the plot, where it hides nothing.
    void legendAtRight();
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

    QCustomPlot* plot_;
};

}  // namespace fusescope::gui
