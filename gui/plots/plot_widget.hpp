// What all plots share: a QCustomPlot that is built when it is seen, and again when colours or fonts change.
#pragma once

#include <QWidget>

class QCustomPlot;

namespace fusescope::gui {

class PlotWidget : public QWidget {
    Q_OBJECT

 public:
    /// Events of the plot come to eventFilter().
    PlotWidget(const QString& accessibleName, QWidget* parent);

 protected:
    /// Draws the data anew; does nothing while hidden.
    virtual void rebuild() = 0;
    /// A sentence in the middle of a plot that has nothing to draw.
    void showText(const QString& text);
    /// Beside the plot, where it hides nothing.
    void legendAtRight();
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

    QCustomPlot* plot_;
};

}  // namespace fusescope::gui
