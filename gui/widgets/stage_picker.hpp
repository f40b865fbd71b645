// Boxes to choose the graph and the two stages that are compared.
#pragma once

#include <QComboBox>
#include <QWidget>

#include "gui/app/shown_stages.hpp"

namespace fusescope::gui {

/// The graph's box; hidden while there is but one graph.
class GraphPicker : public QComboBox {
    Q_OBJECT

 public:
    explicit GraphPicker(ShownStages& stages, QWidget* parent = nullptr);

 private:
    void fill();
    ShownStages& stages_;
};

/// The box of one side: "0  capture · 24 nodes".
class StagePicker : public QComboBox {
    Q_OBJECT

 public:
    StagePicker(ShownStages& stages, int side, QWidget* parent = nullptr);

 private:
    void fill();
    ShownStages& stages_;
    int side_;
};

}  // namespace fusescope::gui
