// Exact values and bit patterns.
#pragma once

#include "gui/tensor/tensor_page.hpp"

class QComboBox;
class QLabel;
class QTableView;

namespace fusescope::gui {

class ElementModel;
class SliceBar;

class TablePage : public TensorPage {
    Q_OBJECT

 public:
    explicit TablePage(Jobs& jobs);

 protected:
    void refresh() override;
    void elementChanged() override;
    void changeEvent(QEvent* event) override;

 private:
    void showSlice();
    void fitColumns();
    void describe();
    void copy() const;

    SliceBar* bar_;
    QComboBox* format_;
    QTableView* table_;
    ElementModel* model_;
    QLabel* bits_;
    bool quiet_ = false;
};

}  // namespace fusescope::gui
