// The tensor beside one that was pinned before: by how much they differ, and where.
#pragma once

#include "gui/tensor/tensor_page.hpp"
#include "profiler/tensors/comparison.hpp"

class QComboBox;
class QLabel;

namespace fusescope::gui {

class HeatMap;
class HistogramPlot;
class SliceBar;

class ComparePage : public TensorPage {
    Q_OBJECT

 public:
    explicit ComparePage(Jobs& jobs);

    void setPinned(const tensors::Array& array, const QString& name);
    const tensors::Array& pinned() const { return pinned_; }
    QString pinnedName() const { return pinnedName_; }
    /// The name of the tensor that is shown.
    void setName(const QString& name) { name_ = name; }

 protected:
    void refresh() override;
    void elementChanged() override;
    void changeEvent(QEvent* event) override;

 private:
    void askMap();
    void showFacts();
    bool comparable() const;

    tensors::Array pinned_;
    QString pinnedName_, name_;
    std::optional<tensors::Comparison> result_;
    QLabel* facts_;
    SliceBar* bar_;
    QComboBox* measure_;
    HeatMap* map_;
    HistogramPlot* errors_;
    QWidget* views_;
};

}  // namespace fusescope::gui
