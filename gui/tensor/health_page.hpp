// Where NaN and Inf are: how many, the first of them, a map, and ways from one to the next.
#pragma once

#include "gui/tensor/tensor_page.hpp"

class QLabel;
class QListWidget;
class QToolButton;

namespace fusescope::gui {

class HeatMap;
class SliceBar;

class HealthPage : public TensorPage {
    Q_OBJECT

 public:
    explicit HealthPage(Jobs& jobs);

 protected:
    void refresh() override;
    void elementChanged() override;

 private:
    void askMap();
    void jump(bool forward);

    SliceBar* bar_;
    HeatMap* map_;
    QLabel* counts_;
    QListWidget* list_;
    QToolButton* back_;
    QToolButton* on_;
};

}  // namespace fusescope::gui
