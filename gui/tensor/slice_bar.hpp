// Chooses a 2-D slice: which axes run down and across, and where the others stand.
#pragma once

#include <QVector>
#include <QWidget>

#include "profiler/tensors/slice.hpp"

class QComboBox;
class QHBoxLayout;
class QSpinBox;

namespace fusescope::gui {

class SliceBar : public QWidget {
    Q_OBJECT

 public:
    /// `wrap`: how many elements of a vector make a row.
    explicit SliceBar(qint64 wrap, QWidget* parent = nullptr);

    /// Keeps axes and places as far as the new shape has them.
    void setShape(const Shape& shape);
    const tensors::Slice& slice() const { return slice_; }
    /// Moves to the slice that has the element, without a signal; true when it is another.
    bool showElement(qint64 flat);
    /// Controls of the page, behind those of the slice.
    void addWidget(QWidget* widget);

 signals:
    void changed();

 private:
    void fill();
    void read();

    qint64 wrap_;
    tensors::Slice slice_;
    QHBoxLayout* row_;
    QWidget* axes_;
    QHBoxLayout* axisRow_;
    QComboBox* down_ = nullptr;
    QComboBox* across_ = nullptr;
    QVector<QSpinBox*> places_;  // one an axis; null for those that run
};

}  // namespace fusescope::gui
