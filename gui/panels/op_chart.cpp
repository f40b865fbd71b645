// Panel: time per op as bars, as boxes that show how it spreads, or over the steps.
#include <QComboBox>
#include <QHBoxLayout>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/app/panel.hpp"
#include "gui/app/session.hpp"
#include "gui/app/theme.hpp"
#include "gui/models/op_model.hpp"
#include "gui/plots/bar_plot.hpp"
#include "gui/plots/box_plot.hpp"
#include "gui/plots/step_plot.hpp"
#include "gui/widgets/format.hpp"
#include "gui/widgets/range_bar.hpp"
#include "profiler/query/op_spread.hpp"
#include "profiler/query/op_times.hpp"

namespace fusescope::gui {

namespace {

enum Shape { kBars, kBoxes, kSteps };

struct OpChartRows {
    QVector<OpRow> rows;  ///< the longest first
    std::vector<query::OpSpread> spreads;
    std::vector<query::OpSteps> steps;
};

query::OpKey keyOf(OpGrouping grouping) {
    switch (grouping) {
        case OpGrouping::Line:
            return query::OpKey::line;
        case OpGrouping::Kernel:
            return query::OpKey::node;
        case OpGrouping::Scope:
            return query::OpKey::scope;
        case OpGrouping::Kind:
            break;
    }
    return query::OpKey::kind;
}

// The group of events that a row of the op table sums up.
const OpRow* rowOf(const QVector<OpRow>& rows, const query::OpGroup& group) {
    const auto found = std::find_if(rows.begin(), rows.end(), [&group](const OpRow& row) {
        return row.target.id == group.id && row.target.line == group.line &&
               row.modelled == (group.clock == Clock::modelled);
    });
    return found == rows.end() ? nullptr : &*found;
}

class OpChartPanel : public Panel {
    Q_OBJECT

 public:
    explicit OpChartPanel(Session& session)
        : Panel(session),
          grouping_(new QComboBox),
          shape_(new QComboBox),
          stack_(new QStackedWidget),
          bars_(new BarPlot(tr("Time per op"))),
          boxes_(new BoxPlot),
          steps_(new StepPlot) {
        auto* column = new QVBoxLayout(this);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        auto* bar = new QHBoxLayout;
        bar->setContentsMargins(6, 4, 6, 4);
        shape_->addItems({tr("sums"), tr("spread"), tr("over the steps")});
        shape_->setAccessibleName(tr("What is drawn"));
        shape_->setObjectName("opChartShape");
        bar->addWidget(shape_);
        grouping_->addItems({tr("by op kind"), tr("by source line"), tr("by kernel"), tr("by scope")});
        grouping_->setAccessibleName(tr("What a bar stands for"));
        grouping_->setObjectName("opChartGrouping");
        bar->addWidget(grouping_);
        bar->addStretch(1);
        bar->addWidget(new RangeBar(session));
        column->addLayout(bar);
        for (QWidget* plot :
             {static_cast<QWidget*>(bars_), static_cast<QWidget*>(boxes_), static_cast<QWidget*>(steps_)}) {
            stack_->addWidget(plot);
        }
        boxes_->setObjectName("opBoxes");
        steps_->setObjectName("opSteps");
        column->addWidget(stack_, 1);
        bars_->setFormat(durationText);
        bars_->setEmptyText(tr("No op was timed in this run."));
        connect(grouping_, &QComboBox::currentIndexChanged, this, &OpChartPanel::ask);
        connect(shape_, &QComboBox::currentIndexChanged, this, [this](int shape) {
            stack_->setCurrentIndex(shape);
            ask();
        });
        connect(bars_, &BarPlot::chosen, &session, &Session::select);
        connect(boxes_, &BoxPlot::chosen, &session, &Session::select);
        connect(steps_, &StepPlot::chosen, &session, &Session::select);
        connect(steps_, &StepPlot::stepChosen, this, &OpChartPanel::markStep);
        connect(&session, &Session::timeRangeChanged, this, [this] { invalidate(); });
    }

 protected:
    void reload() override {
        const auto grouping = static_cast<OpGrouping>(grouping_->currentIndex());
        session_.jobs().run(
            this, QStringLiteral("rows"),
            [grouping, shape = shape_->currentIndex(), filter = filterOf(session_.timeRange())](JobContext& context) {
                OpChartRows made;
                made.rows = opRows(context.database(), grouping, filter);
                std::stable_sort(made.rows.begin(), made.rows.end(),
                                 [](const OpRow& a, const OpRow& b) { return a.totalNs > b.totalNs; });
                if (shape == kBoxes) {
                    made.spreads = query::op_spreads(context.database(), keyOf(grouping), filter);
                } else if (shape == kSteps) {
                    made.steps = query::times_over_steps(context.database(), keyOf(grouping), filter);
                }
                return made;
            },
            [this](OpChartRows made) {
                made_ = std::move(made);
                draw();
            });
    }

    void clear() override {
        made_ = {};
        draw();
    }

    void showSelection(const Selection& selection) override {
        if (selection.isNone()) {
            bars_->setMarked({});
            boxes_->setMarked({});
            steps_->setMarked({});
        }
    }

    void showRelated(const Related& related) override {
        const auto marked = [related](const auto& shown) { return related.marks(shown.target); };
        bars_->setMarked(marked);
        boxes_->setMarked(marked);
        steps_->setMarked(marked);
    }

    void changeEvent(QEvent* event) override {
        Panel::changeEvent(event);
        if (event->type() == QEvent::PaletteChange) {
            draw();
        }
    }

 private:
    void ask() {
        if (session_.hasProfile()) {
            reload();
        }
    }

    QColor colorOf(const OpRow& row, int place) const {
        const bool kinds = grouping_->currentIndex() == static_cast<int>(OpGrouping::Kind);
        if (kinds) {
            return theme().colorOfKind(row.name);
        }
        // Lines over the steps must be told apart; bars and boxes have their names beside them.
        return shape_->currentIndex() == kSteps ? theme().kinds[place % theme().kinds.size()] : theme().device;
    }

    void draw() {
        QVector<BarPlot::Bar> bars;
        for (const auto& row : std::as_const(made_.rows)) {
            bars.push_back(
                {row.name, static_cast<double>(row.totalNs),
                 QStringLiteral("%1 · %2").arg(durationText(static_cast<double>(row.totalNs)), percentText(row.share)),
                 row.modelled, colorOf(row, 0), row.target});
        }
        bars_->setBars(std::move(bars));
        QVector<BoxPlot::Box> boxes;
        for (const auto& spread : made_.spreads) {
            if (const OpRow* row = rowOf(made_.rows, spread)) {
                BoxPlot::Box box;
                box.label = row->name;
                box.calls = spread.calls;
                box.low = spread.low_ns;
                box.q1 = spread.q1_ns;
                box.median = spread.median_ns;
                box.q3 = spread.q3_ns;
                box.high = spread.high_ns;
                box.outside = spread.outside;
                box.outliers = QVector<double>(spread.outliers.begin(), spread.outliers.end());
                box.modelled = row->modelled;
                box.color = colorOf(*row, 0);
                box.target = row->target;
                boxes.push_back(std::move(box));
            }
        }
        boxes_->setBoxes(std::move(boxes));
        QVector<StepPlot::Line> lines;
        for (const auto& steps : made_.steps) {
            if (const OpRow* row = rowOf(made_.rows, steps)) {
                StepPlot::Line line;
                line.label = row->name;
                for (const auto& step : steps.steps) {
                    line.steps.push_back(static_cast<double>(step.step));
                    line.ns.push_back(static_cast<double>(step.total_ns));
                }
                line.modelled = row->modelled;
                line.color = colorOf(*row, static_cast<int>(lines.size()));
                line.target = row->target;
                lines.push_back(std::move(line));
            }
        }
        steps_->setLines(std::move(lines));
    }

    void markStep(qint64 step) {
        session_.jobs().run(
            this, QStringLiteral("step"),
            [step](JobContext& context) {
                query::EventFilter filter;
                filter.first_step = filter.last_step = step;
                std::optional<TimeRange> range;
                for (const auto& time : query::times_by_step(context.database(), filter)) {
                    range = range ? TimeRange{std::min<qint64>(range->begin, time.begin_ns),
                                              std::max<qint64>(range->end, time.end_ns)}
                                  : TimeRange{time.begin_ns, time.end_ns};
                }
                return range;
            },
            [this](std::optional<TimeRange> range) {
                if (range) {
                    session_.setTimeRange(range);
                    emit session_.panelAsked(QStringLiteral("timeline"));
                }
            });
    }

    QComboBox* grouping_;
    QComboBox* shape_;
    QStackedWidget* stack_;
    BarPlot* bars_;
    BoxPlot* boxes_;
    StepPlot* steps_;
    OpChartRows made_;
};

}  // namespace

}  // namespace fusescope::gui

namespace fusescope {

gui::PanelDefinition panel_op_chart() {
    return {QStringLiteral("op_chart"),
            QT_TRANSLATE_NOOP("panel", "Time per op"),
            QStringLiteral("chart"),
            gui::DockPlace::Bottom,
            2,
            QKeySequence(Qt::CTRL | Qt::Key_6),
            [](gui::Session& session) { return new gui::OpChartPanel(session); }};
}

}  // namespace fusescope

#include "op_chart.moc"
