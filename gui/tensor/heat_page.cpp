#include "gui/tensor/heat_page.hpp"

#include <QVBoxLayout>

#include "gui/tensor/heat_map.hpp"
#include "gui/tensor/slice_bar.hpp"
#include "profiler/tensors/element_text.hpp"

namespace fusescope::gui {

namespace {

constexpr qint64 kWrap = 64;  // a vector's elements in a row

}  // namespace

HeatPage::HeatPage(Jobs& jobs) : TensorPage(jobs), bar_(new SliceBar(kWrap)), map_(new HeatMap(tr("Heat map"))) {
    auto* column = new QVBoxLayout(&body());
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(bar_);
    column->addWidget(map_, 1);
    map_->setObjectName(QStringLiteral("tensorHeat"));
    map_->setDescription([this](qint64 flat) { return QString::fromStdString(tensors::text_of(array_, flat)); });
    connect(bar_, &SliceBar::changed, this, &HeatPage::ask);
    connect(map_, &HeatMap::elementChosen, this, &TensorPage::elementChosen);
}

void HeatPage::refresh() {
    bar_->setShape(array_.shape);
    bar_->setVisible(array_.shape.rank() > 1);
    map_->clear();
    ask();
}

void HeatPage::elementChanged() {
    if (element_ >= 0 && bar_->showElement(element_)) {
        ask();
    }
    map_->setElement(element_);
}

void HeatPage::ask() {
    jobs_.run(
        this, QStringLiteral("grid"),
        [array = array_, slice = bar_->slice()](JobContext& context) {
            return tensors::grid(array, slice, HeatMap::kMostCells, staleOf(context));
        },
        [this](tensors::Grid grid) {
            map_->setGrid(std::move(grid), bar_->slice(), ColorScale::Kind::Sequential);
            map_->setElement(element_);
        });
}

}  // namespace fusescope::gui
