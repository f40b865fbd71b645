// Horizontal bars with names at the left, longest on top.
#pragma once

#include <QColor>
#include <QString>
#include <QVector>
#include <functional>

#include "gui/app/selection.hpp"
#include "gui/plots/plot_widget.hpp"

class QCPBars;

namespace fusescope::gui {

class BarPlot : public PlotWidget {
    Q_OBJECT

 public:
    struct Bar {
        QString label;
        double value = 0;
        QString valueText;
        bool modelled = false;
        QColor color;
        Selection target;  ///< none for a bar that cannot be selected
    };

    explicit BarPlot(const QString& accessibleName, QWidget* parent = nullptr);

    void setBars(QVector<Bar> bars);
    const QVector<Bar>& bars() const { return bars_; }
    /// How the value axis writes a number; `binary`: its ticks are at powers of two, as befits bytes.
    void setFormat(std::function<QString(double)> format, bool binary = false);
    /// Outlines the bars for which this is true.
    void setMarked(std::function<bool(const Bar&)> marked);
    void setEmptyText(const QString& text);

 signals:
    void chosen(const fusescope::gui::Selection& selection);

 protected:
    void resizeEvent(QResizeEvent* event) override;
    QString textAt(const QPoint& pixel) const override;
    void click(const QPointF& pixel) override;

 private:
    void draw() override;
    int barAt(double pixelY) const;

    QVector<Bar> bars_;
    QVector<QCPBars*> items_;
    std::function<QString(double)> format_;
    std::function<bool(const Bar&)> marked_;
    bool binary_ = false;
    QString emptyText_;
    int shown_ = 0;
};

}  // namespace fusescope::gui
