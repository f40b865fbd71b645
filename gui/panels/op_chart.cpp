// Panel: time per op as bars.
#include <QComboBox>
#include <QHBoxLayout>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/app/panel.hpp"
#include "gui/app/session.hpp"
#include "gui/app/theme.hpp"
#include "gui/models/op_model.hpp"
#include "gui/plots/bar_plot.hpp"
#include "gui/widgets/format.hpp"

namespace fusescope::gui {

namespace {

class OpChartPanel : public Panel {
    Q_OBJECT

 public:
    explicit OpChartPanel(Session& session)
        : Panel(session), grouping_(new QComboBox), plot_(new BarPlot(tr("Time per op"))) {
        auto* column = new QVBoxLayout(this);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        auto* bar = new QHBoxLayout;
        bar->setContentsMargins(6, 4, 6, 4);
        grouping_->addItems({tr("by op kind"), tr("by source line"), tr("by kernel"), tr("by scope")});
        grouping_->setAccessibleName(tr("What a bar stands for"));
        bar->addWidget(grouping_);
        bar->addStretch(1);
        column->addLayout(bar);
        column->addWidget(plot_, 1);
        plot_->setFormat(durationText);
        plot_->setEmptyText(tr("No op was timed in this run."));
        connect(grouping_, &QComboBox::currentIndexChanged, this, [this] {
            if (session_.hasProfile()) {
                reload();
            }
        });
        connect(plot_, &BarPlot::chosen, &session, &Session::select);
    }

 protected:
    void reload() override {
        const auto grouping = static_cast<OpGrouping>(grouping_->currentIndex());
        session_.jobs().run(
            this, QStringLiteral("rows"),
            [grouping](JobContext& context) { return opRows(context.database(), grouping); },
            [this](QVector<OpRow> rows) {
                rows_ = std::move(rows);
                std::stable_sort(rows_.begin(), rows_.end(),
                                 [](const OpRow& a, const OpRow& b) { return a.totalNs > b.totalNs; });
                draw();
            });
    }

    void clear() override {
        rows_.clear();
        draw();
    }

    void showSelection(const Selection& selection) override {
        if (selection.isNone()) {
            plot_->setMarked({});
        }
    }

    void showRelated(const Related& related) override {
        const QSet<QPair<qint64, int>> lines(related.lines.begin(), related.lines.end());
        const bool line = related.of.kind == Selection::Kind::Line;
        plot_->setMarked([related, lines, line](const BarPlot::Bar& bar) {
            const Selection& target = bar.target;
            return (!target.isNone() && target == related.of) ||
                   (target.kind == Selection::Kind::OpKind && related.kinds.contains(target.id)) ||
                   (target.kind == Selection::Kind::Node && related.finalNodes.contains(target.id)) ||
                   (!line && target.kind == Selection::Kind::Line && lines.contains({target.id, target.line}));
        });
    }

    void changeEvent(QEvent* event) override {
        Panel::changeEvent(event);
        if (event->type() == QEvent::PaletteChange) {
            draw();
        }
    }

 private:
    void draw() {
        const bool kinds = grouping_->currentIndex() == static_cast<int>(OpGrouping::Kind);
        QVector<BarPlot::Bar> bars;
        for (const auto& row : std::as_const(rows_)) {
            bars.push_back(
                {row.name, static_cast<double>(row.totalNs),
                 QStringLiteral("%1 · %2").arg(durationText(static_cast<double>(row.totalNs)), percentText(row.share)),
                 row.modelled, kinds ? theme().colorOfKind(row.name) : theme().device, row.target});
        }
        plot_->setBars(std::move(bars));
    }

    QComboBox* grouping_;
    BarPlot* plot_;
    QVector<OpRow> rows_;
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
