// Time of ops over the training steps: a line each.
#pragma once

#include <QColor>
#include <QString>
#include <QVector>
#include <functional>

#include "gui/app/selection.hpp"
#include "gui/plots/plot_widget.hpp"

namespace fusescope::gui {

class StepPlot : public PlotWidget {
    Q_OBJECT

 public:
    struct Line {
        QString label;
        QVector<double> steps;
        QVector<double> ns;
        bool modelled = false;
        QColor color;
        Selection target;
    };

    explicit StepPlot(QWidget* parent = nullptr);

    /// The longest first; as many as can be told apart are drawn, and those that are marked.
    void setLines(QVector<Line> lines);
    const QVector<Line>& lines() const { return lines_; }
    void setMarked(std::function<bool(const Line&)> marked);
    /// Which lines are drawn.
    const QVector<int>& drawn() const { return drawn_; }

 signals:
    void chosen(const fusescope::gui::Selection& selection);
    void stepChosen(qint64 step);

 protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    QString textAt(const QPoint& pixel) const override;
    void click(const QPointF& pixel) override;

 private:
    struct Hit {
        int line = -1;
        qsizetype point = -1;
    };
    void draw() override;
    Hit hit(const QPointF& pixel) const;

    QVector<Line> lines_;
    QVector<int> drawn_;
    std::function<bool(const Line&)> marked_;
};

}  // namespace fusescope::gui
