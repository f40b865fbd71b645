// A slice as coloured cells with its scale beside it.
#pragma once

#include <QImage>
#include <QWidget>
#include <functional>

#include "gui/tensor/color_scale.hpp"
#include "profiler/tensors/slice.hpp"

namespace fusescope::gui {

class HeatMap : public QWidget {
    Q_OBJECT

 public:
    static constexpr int kMostCells = 1024;  ///< either way

    explicit HeatMap(const QString& accessibleName, QWidget* parent = nullptr);

    void setGrid(tensors::Grid grid, const tensors::Slice& slice, ColorScale::Kind kind);
    void clear();
    const tensors::Grid& grid() const { return grid_; }
    /// Outlines the cell that has the element, when the slice shows it; -1 for none.
    void setElement(qint64 flat);
    /// What a tool tip says about an element, below its index.
    void setDescription(std::function<QString(qint64 flat)> text) { description_ = std::move(text); }
    /// Middle of a cell, for tests and menus.
    QPoint centreOf(int row, int column) const;

 signals:
    void elementChosen(qint64 flat);

 protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;
    QSize minimumSizeHint() const override { return {160, 90}; }

 private:
    void colour();
    QRectF area() const;
    bool cellAt(const QPointF& at, int* row, int* column) const;
    qint64 elementOf(int row, int column) const;
    void paintScale(QPainter& painter, const QRectF& cells) const;

    tensors::Grid grid_;
    tensors::Slice slice_;
    ColorScale scale_;
    QImage image_;
    qint64 element_ = -1;
    std::function<QString(qint64)> description_;
};

/// "1.25e-05": six significant digits.
QString numberText(double value);

}  // namespace fusescope::gui
