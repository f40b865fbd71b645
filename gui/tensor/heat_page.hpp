// A 2-D slice as a heat map.
#pragma once

#include "gui/tensor/tensor_page.hpp"

namespace fusescope::gui {

class HeatMap;
class SliceBar;

class HeatPage : public TensorPage {
    Q_OBJECT

 public:
    explicit HeatPage(Jobs& jobs);

 protected:
    void refresh() override;
    void elementChanged() override;

 private:
    void ask();

    SliceBar* bar_;
    HeatMap* map_;
};

}  // namespace fusescope::gui
