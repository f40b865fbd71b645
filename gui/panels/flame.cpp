// Panel: time by line or by Cell, from the outside in, as a flame graph or an icicle.
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>
#include <vector>

#include "gui/app/panel.hpp"
#include "gui/app/session.hpp"
#include "gui/models/op_model.hpp"
#include "gui/plots/flame_plot.hpp"
#include "gui/widgets/format.hpp"
#include "gui/widgets/icon_button.hpp"
#include "gui/widgets/range_bar.hpp"
#include "profiler/query/time_tree.hpp"

namespace fusescope::gui {

namespace {

class FlamePanel : public Panel {
    Q_OBJECT

 public:
    explicit FlamePanel(Session& session)
        : Panel(session),
          grouping_(new QComboBox),
          shape_(new QComboBox),
          clock_(new QComboBox),
          sum_(new QLabel),
          plot_(new FlamePlot) {
        auto* column = new QVBoxLayout(this);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        auto* bar = new QHBoxLayout;
        bar->setContentsMargins(6, 4, 6, 4);
        grouping_->addItems({tr("by Cell"), tr("by call stack and line")});
        grouping_->setAccessibleName(tr("What holds what"));
        grouping_->setObjectName("flameGrouping");
        shape_->addItems({tr("icicle"), tr("flame graph")});
        shape_->setAccessibleName(tr("Where the outermost boxes are"));
        clock_->addItems({tr("measured time"), tr("modelled time")});
        clock_->setAccessibleName(tr("Clock"));
        sum_->setForegroundRole(QPalette::PlaceholderText);
        sum_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        bar->addWidget(grouping_);
        bar->addWidget(shape_);
        bar->addWidget(clock_);
        bar->addSpacing(6);
        bar->addWidget(sum_, 1);
        bar->addWidget(new RangeBar(session));
        auto* whole = new IconButton(QStringLiteral("fit"), tr("Show the whole (F)"));
        bar->addWidget(whole);
        column->addLayout(bar);
        column->addWidget(plot_, 1);
        plot_->setObjectName("flamePlot");
        plot_->setIcicle(true);
        plot_->setEmptyText(tr("No op was timed in this run."));
        clock_->hide();
        connect(whole, &QToolButton::clicked, this, [this] { plot_->focusOn(-1); });
        connect(grouping_, &QComboBox::currentIndexChanged, this, &FlamePanel::ask);
        connect(shape_, &QComboBox::currentIndexChanged, this, [this](int shape) { plot_->setIcicle(shape == 0); });
        connect(clock_, &QComboBox::currentIndexChanged, this, &FlamePanel::showTree);
        connect(plot_, &FlamePlot::chosen, &session, &Session::select);
        connect(plot_, &FlamePlot::focusChanged, this, &FlamePanel::showSum);
        connect(&session, &Session::timeRangeChanged, this, [this] { invalidate(); });
    }

 protected:
    void reload() override {
        session_.jobs().run(
            this, QStringLiteral("tree"),
            [cells = grouping_->currentIndex() == 0, filter = filterOf(session_.timeRange())](JobContext& context) {
                std::vector<FlameTree> made;
                for (const auto& tree : cells ? query::times_by_cell(context.database(), filter)
                                              : query::times_by_stack(context.database(), filter)) {
                    made.push_back(flameTree(tree));
                }
                return made;
            },
            [this](std::vector<FlameTree> trees) {
                trees_ = std::move(trees);
                clock_->setVisible(trees_.size() > 1);
                showTree();
            });
    }

    void clear() override {
        trees_.clear();
        clock_->hide();
        showTree();
    }

    void showSelection(const Selection& selection) override {
        plot_->setSelected(selection);
        if (selection.isNone()) {
            plot_->setMarked({});
        }
    }

    void showRelated(const Related& related) override {
        const QSet<QPair<qint64, int>> lines(related.lines.begin(), related.lines.end());
        const bool line = related.of.kind == Selection::Kind::Line;
        plot_->setMarked([kinds = related.kinds, lines, line](const FlameBox& box) {
            return box.target.kind == Selection::Kind::OpKind ? kinds.contains(box.target.id)
                                                              : !line && box.target.kind == Selection::Kind::Line &&
                                                                    lines.contains({box.target.id, box.target.line});
        });
    }

 private:
    void ask() {
        if (session_.hasProfile()) {
            reload();
        }
    }

    // Times of two clocks are never in one picture.
    void showTree() {
        const bool modelled =
            trees_.size() > 1 ? clock_->currentIndex() == 1 : !trees_.empty() && trees_.front().modelled;
        const auto tree = std::find_if(trees_.begin(), trees_.end(),
                                       [modelled](const FlameTree& t) { return t.modelled == modelled; });
        plot_->setTree(tree == trees_.end() ? FlameTree() : *tree);
        showSum();
    }

    void showSum() {
        const FlameTree& tree = plot_->tree();
        if (tree.boxes.isEmpty()) {
            sum_->clear();
            return;
        }
        const QString clock = tree.modelled ? tr(" (modelled)") : QString();
        const QString help = tr("double click widens a box");
        if (plot_->focus() < 0) {
            sum_->setText(tr("%1%2 in all · %3").arg(durationText(static_cast<double>(tree.total)), clock, help));
            return;
        }
        const FlameBox& box = tree.boxes[plot_->focus()];
        sum_->setText(tr("%1: %2%3, %4 of the whole")
                          .arg(box.label, durationText(static_cast<double>(box.total)), clock,
                               percentText(static_cast<double>(box.total) /
                                           static_cast<double>(std::max<qint64>(1, tree.total)))));
    }

    QComboBox* grouping_;
    QComboBox* shape_;
    QComboBox* clock_;
    QLabel* sum_;
    FlamePlot* plot_;
    std::vector<FlameTree> trees_;
};

}  // namespace

}  // namespace fusescope::gui

namespace fusescope {

gui::PanelDefinition panel_flame() {
    return {QStringLiteral("flame"),
            QT_TRANSLATE_NOOP("panel", "Flame graph"),
            QStringLiteral("flame"),
            gui::DockPlace::Bottom,
            3,
            QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_5),
            [](gui::Session& session) { return new gui::FlamePanel(session); }};
}

}  // namespace fusescope

#include "flame.moc"
