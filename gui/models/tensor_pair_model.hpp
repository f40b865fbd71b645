// Two tensors of the same type side by side, element by element.
#pragma once

#include "gui/models/table_model.hpp"

namespace fusescope::gui {

struct ElementRow {
    QString index;  ///< "[1, 0, 4]"
    QString first, second;
    QString difference;
    double size = 0;      ///< absolute difference; infinite where one is NaN or Inf
    double relative = 0;  ///< of `size` to the largest of the tensor, in 0…1
    QString ulp;
};

struct TensorPair {
    QVector<ElementRow> rows;
    qint64 elements = 0, different = 0;
    bool whole = true;  ///< all that was asked for is in `rows`
};

/// What of two tensors is shown.
enum class ElementOrder { Largest, Index, All };

/// Reads two .npy files that a check left. Throws std::runtime_error with a sentence when they are not what `dtype`
/// says. `order`: those that differ, the largest difference first or by index, or all.
TensorPair readTensorPair(const QString& first, const QString& second, const QString& dtype, ElementOrder order);

class TensorPairModel : public RowModel<ElementRow> {
    Q_OBJECT

 public:
    enum Columns { Index, Eager, Graph, Difference, Ulp };

    explicit TensorPairModel(QObject* parent = nullptr);
    Selection selectionAt(int) const override { return {}; }
    int rowOf(const Selection&) const override { return -1; }
};

}  // namespace fusescope::gui
