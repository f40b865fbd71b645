// Panel: what happened when, on which thread, stream or copy engine; and what ran in a marked stretch of time.
#include <QButtonGroup>
#include <QHBoxLayout>
#include <QLabel>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/app/panel.hpp"
#include "gui/app/session.hpp"
#include "gui/models/op_model.hpp"
#include "gui/timeline/aligned_steps.hpp"
#include "gui/timeline/timeline_reader.hpp"
#include "gui/timeline/timeline_view.hpp"
#include "gui/widgets/format.hpp"
#include "gui/widgets/icon_button.hpp"
#include "gui/widgets/table_view.hpp"

namespace fusescope::gui {

namespace {

constexpr qint64 kSampleFrom = 200'000;  // events; fewer are read at once faster than one looks

class TimelinePanel : public Panel {
    Q_OBJECT

 public:
    explicit TimelinePanel(Session& session)
        : Panel(session),
          view_(new TimelineView),
          sums_(new QLabel),
          align_(new IconButton(QStringLiteral("align"), tr("Steps below each other, and their average"))),
          table_(new TableView(tr("Ops of the marked range"))),
          model_(new OpModel(this)) {
        auto* column = new QVBoxLayout(this);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        auto* bar = new QHBoxLayout;
        bar->setContentsMargins(6, 2, 6, 2);
        sums_->setForegroundRole(QPalette::PlaceholderText);
        sums_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        sums_->setObjectName("timelineSums");
        bar->addWidget(sums_, 1);
        align_->setObjectName("alignSteps");
        align_->setCheckable(true);
        align_->setEnabled(false);
        bar->addWidget(align_);
        connect(align_, &QToolButton::toggled, this, &TimelinePanel::alignOrNot);
        const auto button = [&](const QString& name, const QString& tip, auto action) {
            auto* made = new IconButton(name, tip);
            connect(made, &QToolButton::clicked, this, action);
            bar->addWidget(made);
        };
        button(QStringLiteral("zoom_out"), tr("Zoom out (S)"), [this] { view_->zoom(1 / 1.6, view_->width() / 2.0); });
        button(QStringLiteral("zoom_in"), tr("Zoom in (W)"), [this] { view_->zoom(1.6, view_->width() / 2.0); });
        button(QStringLiteral("fit"), tr("Show the whole run (F)"), [this] { view_->fit(); });
        column->addLayout(bar);
        auto* splitter = new QSplitter(Qt::Horizontal);
        splitter->addWidget(view_);
        splitter->addWidget(table_);
        splitter->setStretchFactor(0, 3);
        splitter->setStretchFactor(1, 2);
        splitter->setChildrenCollapsible(false);
        column->addWidget(splitter, 1);
        view_->setObjectName("timelineView");
        table_->setObjectName("rangeTable");
        table_->setTable(model_, true);
        table_->sortByColumn(OpModel::Total, Qt::DescendingOrder);
        table_->setMinimumWidth(220);
        table_->hide();
        showSums();
        connect(view_, &TimelineView::sliceClicked, this, [this](Selection::Kind kind, qint64 id) {
            clicked_ = true;
            Selection selection;
            selection.kind = kind;
            selection.id = id;
            session_.select(selection);
        });
        connect(view_, &TimelineView::backgroundClicked, this, [this] { session_.select({}); });
        connect(view_, &TimelineView::rangeMarked, this, [this] { session_.setTimeRange(view_->markedRange()); });
        connect(table_, &TableView::chosen, &session, &Session::select);
        connect(&session, &Session::timeRangeChanged, this, &TimelinePanel::showRange);
    }

 protected:
    void reload() override {
        const qint64 zero = session_.summary().zeroNs;
        if (!reading_ && session_.summary().opEvents >= kSampleFrom) {
            session_.jobs().run(
                this, QStringLiteral("sample"),
                [zero](JobContext& context) { return sampleTimeline(context.database(), zero); },
                [this](std::shared_ptr<const TimelineData> data) {
                    if (!reading_) {
                        show(std::move(data));
                    }
                });
        }
        session_.jobs().run(
            this, QStringLiteral("timeline"),
            [zero, before = reading_](JobContext& context) { return readTimeline(context, zero, before); },
            [this](std::shared_ptr<const TimelineReading> reading) {
                if (reading) {
                    reading_ = std::move(reading);
                    align_->setEnabled(reading_->steps.size() > 1);
                    alignOrNot();
                }
            });
        if (session_.timeRange()) {
            loadRange();
        }
    }

    void clear() override {
        reading_.reset();
        align_->setChecked(false);
        align_->setEnabled(false);
        view_->clear();
        table_->hide();
        model_->setRows({});
        showSums();
    }

    void showSelection(const Selection& selection) override {
        view_->setSelected(selection);
        table_->showSelection(selection);
        if (selection.isNone()) {
            view_->setRelated({}, {});
            model_->setRelated({});
        }
        if (!std::exchange(clicked_, false) &&
            (selection.kind == Selection::Kind::OpEvent || selection.kind == Selection::Kind::Transfer)) {
            view_->reveal(selection.kind, selection.id);
        }
    }

    void showRelated(const Related& related) override {
        view_->setRelated(related.events, related.transfers);
        model_->setRelated([kinds = related.kinds](const OpRow& row) {
            return row.target.kind == Selection::Kind::OpKind && kinds.contains(row.target.id);
        });
    }

 private:
    // As time went, or each step from 0.
    void alignOrNot() {
        if (!reading_) {
            return;
        }
        if (!align_->isChecked() || !align_->isEnabled()) {
            session_.jobs().cancel(this, QStringLiteral("align"));
            show(reading_->data);
            return;
        }
        session_.jobs().run(
            this, QStringLiteral("align"),
            [reading = reading_](JobContext& context) {
                return alignSteps(*reading, [&context] { return context.stale(); });
            },
            [this](std::shared_ptr<const TimelineData> data) {
                if (data && align_->isChecked()) {
                    show(std::move(data));
                }
            });
    }

    void show(std::shared_ptr<const TimelineData> data) {
        const bool first = view_->data() == nullptr || view_->data()->sampled;
        view_->setData(std::move(data));
        showSums();
        if (first && !view_->data()->sampled) {
            showSelection(session_.selection());
            showRelated(session_.related());
        }
    }

    void showRange() {
        view_->setMarkedRange(session_.timeRange());
        showSums();
        if (session_.timeRange()) {
            loadRange();
        } else {
            session_.jobs().cancel(this, QStringLiteral("range"));
            table_->hide();
        }
    }

    void loadRange() {
        session_.jobs().run(
            this, QStringLiteral("range"),
            [filter = filterOf(session_.timeRange())](JobContext& context) {
                return opRows(context.database(), OpGrouping::Kind, filter);
            },
            [this](QVector<OpRow> rows) {
                model_->setRows(std::move(rows));
                if (!table_->isVisible()) {
                    table_->show();
                    table_->fitColumns(OpModel::Name);
                }
                table_->showSelection(session_.selection());
            });
    }

    // With a marked range: what ran in it. Without: how to move.
    void showSums() {
        const auto range = view_->markedRange();
        const TimelineData* data = view_->data();
        if (data && data->sampled) {
            sums_->setText(
                tr("Reading all %1 events; shown so far is a sample…").arg(integerText(session_.summary().opEvents)));
            return;
        }
        if (data && data->aligned) {
            sums_->setText(data->remark);
            return;
        }
        if (!data || !range) {
            sums_->setText(data && !data->remark.isEmpty()
                               ? data->remark
                               : tr("W S zoom · A D pan · F fit · drag on the ruler (or Shift + drag) marks a range"));
            return;
        }
        QStringList parts;
        for (const auto& sum : sumsOf(*data, *range)) {
            parts << tr("%1%2: %3 in %4, %5 busy")
                         .arg(sum.lane, sum.modelled ? tr(" (modelled)") : QString(), integerText(sum.count),
                              durationText(static_cast<double>(sum.busyNs)),
                              percentText(static_cast<double>(sum.busyNs) /
                                          static_cast<double>(std::max<qint64>(1, range->end - range->begin))));
        }
        sums_->setText(parts.isEmpty() ? tr("Nothing begins in the marked range.")
                                       : parts.join(QStringLiteral("   ·   ")));
        sums_->setToolTip(parts.join('\n'));
    }

    TimelineView* view_;
    QLabel* sums_;
    IconButton* align_;
    TableView* table_;
    OpModel* model_;
    std::shared_ptr<const TimelineReading> reading_;
    bool clicked_ = false;
};

}  // namespace

}  // namespace fusescope::gui

namespace fusescope {

gui::PanelDefinition panel_timeline() {
    return {QStringLiteral("timeline"),
            QT_TRANSLATE_NOOP("panel", "Timeline"),
            QStringLiteral("timeline"),
            gui::DockPlace::Bottom,
            0,
            QKeySequence(Qt::CTRL | Qt::Key_4),
            [](gui::Session& session) { return new gui::TimelinePanel(session); }};
}

}  // namespace fusescope

#include "timeline.moc"
