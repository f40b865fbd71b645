// Horizontal bars with names at the left, longest on top.
#pragma once

#include <QColor>
#include <QString>
#include <QVector>
#include <QWidget>
#include <functional>

#include "gui/app/selection.hpp"

class QCustomPlot;
class QCPBars;

namespace fusescope::gui {

class BarPlot : public QWidget {
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
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

 private:
    void rebuild();
    int barAt(double pixelY) const;

    QCustomPlot* plot_;
    QVector<Bar> bars_;
    QVector<QCPBars*> items_;
    std::function<QString(double)> format_;
    std::function<bool(const Bar&)> marked_;
    bool binary_ = false;
    QString emptyText_;
    int shown_ = 0;
};

}  // namespace fusescope::gui
