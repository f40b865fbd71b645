#include "gui/tensor/health_page.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include "gui/tensor/heat_map.hpp"
#include "gui/tensor/slice_bar.hpp"
#include "gui/widgets/format.hpp"
#include "profiler/tensors/bad_elements.hpp"
#include "profiler/tensors/element_text.hpp"
#include "profiler/tensors/statistics.hpp"

namespace fusescope::gui {

namespace {

constexpr std::size_t kMostListed = 1000;
constexpr qint64 kWrap = 64;

}  // namespace

HealthPage::HealthPage(Jobs& jobs)
    : TensorPage(jobs),
      bar_(new SliceBar(kWrap)),
      map_(new HeatMap(tr("Map of NaN and Inf"))),
      counts_(new QLabel),
      list_(new QListWidget),
      back_(new QToolButton),
      on_(new QToolButton) {
    auto* column = new QVBoxLayout(&body());
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* top = new QHBoxLayout;
    top->setContentsMargins(6, 4, 6, 4);
    top->addWidget(counts_, 1);
    for (auto* button : {back_, on_}) {
        button->setAutoRaise(true);
        button->setArrowType(button == back_ ? Qt::LeftArrow : Qt::RightArrow);
        button->setToolTip(button == back_ ? tr("Previous NaN or Inf (Shift+N)") : tr("Next NaN or Inf (N)"));
        button->setAccessibleName(button->toolTip());
        button->setShortcut(QKeySequence(button == back_ ? Qt::SHIFT | Qt::Key_N : QKeyCombination(Qt::Key_N)));
        top->addWidget(button);
    }
    on_->setObjectName(QStringLiteral("nextBad"));
    back_->setObjectName(QStringLiteral("previousBad"));
    counts_->setObjectName(QStringLiteral("badCounts"));
    list_->setObjectName(QStringLiteral("badList"));
    list_->setAccessibleName(tr("First elements that are NaN or Inf"));
    list_->setFrameShape(QFrame::NoFrame);
    list_->setUniformItemSizes(true);
    list_->setMaximumWidth(210);
    map_->setObjectName(QStringLiteral("badMap"));
    map_->setDescription([this](qint64 flat) { return QString::fromStdString(tensors::text_of(array_, flat)); });
    column->addLayout(top);
    column->addWidget(bar_);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(map_, 1);
    row->addWidget(list_);
    column->addLayout(row, 1);
    connect(back_, &QToolButton::clicked, this, [this] { jump(false); });
    connect(on_, &QToolButton::clicked, this, [this] { jump(true); });
    connect(bar_, &SliceBar::changed, this, &HealthPage::askMap);
    connect(map_, &HeatMap::elementChosen, this, &TensorPage::elementChosen);
    connect(list_, &QListWidget::currentItemChanged, this, [this](const QListWidgetItem* item) {
        if (item) {
            emit elementChosen(item->data(Qt::UserRole).toLongLong());
        }
    });
}

void HealthPage::refresh() {
    bar_->setShape(array_.shape);
    bar_->setVisible(array_.shape.rank() > 1);
    map_->clear();
    {
        const QSignalBlocker blocker(list_);
        list_->clear();
    }
    counts_->setText(tr("Counting…"));
    struct Answer {
        tensors::Statistics counts;
        std::vector<tensors::BadElement> first;
    };
    jobs_.run(
        this, QStringLiteral("bad"),
        [array = array_](JobContext& context) {
            const auto stale = staleOf(context);
            return Answer{tensors::statistics(array, stale), tensors::bad_elements(array, kMostListed, stale)};
        },
        [this](Answer answer) {
            const auto& c = answer.counts;
            const bool any = c.bad() > 0;
            counts_->setText(!is_float(array_.dtype) ? tr("Whole numbers are always finite.")
                             : !any                  ? tr("All %1 elements are finite.").arg(integerText(c.count))
                                                     : tr("%1 NaN, %2 Inf, %3 −Inf of %4 elements")
                                          .arg(integerText(c.nan), integerText(c.positive_inf),
                                               integerText(c.negative_inf), integerText(c.count)));
            back_->setEnabled(any);
            on_->setEnabled(any);
            list_->setVisible(any);
            const QSignalBlocker blocker(list_);
            for (const auto& bad : answer.first) {
                auto* item = new QListWidgetItem(
                    QStringLiteral("%1  %2").arg(indexText(bad.flat, array_.shape),
                                                 bad.kind == tensors::BadKind::nan            ? tr("NaN")
                                                 : bad.kind == tensors::BadKind::positive_inf ? tr("Inf")
                                                                                              : tr("−Inf")),
                    list_);
                item->setData(Qt::UserRole, QVariant::fromValue<qint64>(bad.flat));
            }
            if (static_cast<qint64>(answer.first.size()) < c.bad()) {
                auto* rest = new QListWidgetItem(
                    tr("… and %1 more").arg(integerText(c.bad() - static_cast<qint64>(answer.first.size()))), list_);
                rest->setFlags(Qt::NoItemFlags);
            }
        });
    askMap();
}

void HealthPage::askMap() {
    jobs_.run(
        this, QStringLiteral("map"),
        [array = array_, slice = bar_->slice()](JobContext& context) {
            return tensors::grid(array, slice, HeatMap::kMostCells, staleOf(context));
        },
        [this](tensors::Grid grid) {
            map_->setGrid(std::move(grid), bar_->slice(), ColorScale::Kind::Health);
            map_->setElement(element_);
        });
}

void HealthPage::elementChanged() {
    if (element_ >= 0 && bar_->showElement(element_)) {
        askMap();
    }
    map_->setElement(element_);
}

void HealthPage::jump(bool forward) {
    jobs_.run(
        this, QStringLiteral("jump"),
        [array = array_, from = element_, forward](JobContext& context) {
            return tensors::next_bad(array, from, forward, staleOf(context));
        },
        [this](std::int64_t flat) {
            if (flat >= 0) {
                emit elementChosen(flat);
            }
        });
}

}  // namespace fusescope::gui
