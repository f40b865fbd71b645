// Panel: the op table, grouped by kind, line, kernel or scope, and every single event.
#include <QComboBox>
#include <QHBoxLayout>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "gui/app/panel.hpp"
#include "gui/app/session.hpp"
#include "gui/models/event_model.hpp"
#include "gui/models/op_model.hpp"
#include "gui/widgets/range_bar.hpp"
#include "gui/widgets/search_bar.hpp"
#include "gui/widgets/table_view.hpp"

namespace fusescope::gui {

namespace {

constexpr int kEvents = 4;  // position in the box, after the four groupings

class OpsPanel : public Panel {
    Q_OBJECT

 public:
    explicit OpsPanel(Session& session)
        : Panel(session),
          grouping_(new QComboBox),
          filter_(new SearchBar(tr("Filter"))),
          stack_(new QStackedWidget),
          table_(new TableView(tr("Op times"))),
          events_(new TableView(tr("Op events"))),
          model_(new OpModel(this)),
          eventModel_(new EventModel(session, this)) {
        auto* column = new QVBoxLayout(this);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        auto* bar = new QHBoxLayout;
        bar->setContentsMargins(6, 4, 6, 4);
        grouping_->addItems(
            {tr("by op kind"), tr("by source line"), tr("by kernel"), tr("by scope"), tr("every event")});
        grouping_->setAccessibleName(tr("What a row stands for"));
        grouping_->setObjectName("opGrouping");
        bar->addWidget(grouping_);
        bar->addWidget(filter_, 1);
        bar->addStretch(1);
        bar->addWidget(new RangeBar(session));
        column->addLayout(bar);
        table_->setObjectName("opTable");
        events_->setObjectName("eventTable");
        table_->setTable(model_, true);
        table_->sortByColumn(OpModel::Total, Qt::DescendingOrder);
        events_->setTable(eventModel_, false);
        stack_->addWidget(table_);
        stack_->addWidget(events_);
        column->addWidget(stack_, 1);
        const int character = fontMetrics().averageCharWidth();
        for (int i = 0; i < EventModel::ColumnCount; ++i) {
            events_->setColumnWidth(i, character * (i == EventModel::Scope ? 26 : i == EventModel::Op ? 22 : 13));
        }
        connect(grouping_, &QComboBox::currentIndexChanged, this, [this](int choice) {
            filter_->setVisible(choice != kEvents);
            stack_->setCurrentIndex(choice == kEvents ? 1 : 0);
            fitted_ = false;
            if (choice != kEvents) {
                model_->setGrouping(static_cast<OpGrouping>(choice));
                model_->setRows({});
            }
            if (session_.hasProfile()) {
                reload();
                showSelection(session_.selection());
                showRelated(session_.related());
            }
        });
        connect(filter_, &SearchBar::textChanged, table_, &TableView::setFilter);
        connect(table_, &TableView::chosen, &session, &Session::select);
        connect(events_, &TableView::chosen, &session, &Session::select);
        connect(&session, &Session::timeRangeChanged, this, [this] {
            if (grouping_->currentIndex() != kEvents) {
                invalidate();
            }
        });
    }

    void find() override { filter_->focus(); }

 protected:
    void reload() override {
        if (grouping_->currentIndex() == kEvents) {
            eventModel_->reload();
            return;
        }
        const auto grouping = static_cast<OpGrouping>(grouping_->currentIndex());
        session_.jobs().run(
            this, QStringLiteral("rows"),
            [grouping, filter = filterOf(session_.timeRange())](JobContext& context) {
                return opRows(context.database(), grouping, filter);
            },
            [this](QVector<OpRow> rows) {
                model_->setRows(std::move(rows));
                if (!fitted_ && model_->rowCount() > 0) {
                    table_->fitColumns(OpModel::Name);
                    fitted_ = true;
                }
                table_->showSelection(session_.selection());
            });
    }

    void clear() override {
        model_->setRows({});
        eventModel_->clear();
        fitted_ = false;
    }

    void showSelection(const Selection& selection) override {
        table_->showSelection(selection);
        events_->showSelection(selection);
        if (selection.isNone()) {
            model_->setRelated({});
            eventModel_->setRelated({});
        }
    }

    void showRelated(const Related& related) override {
        QSet<QPair<qint64, int>> lines(related.lines.begin(), related.lines.end());
        model_->setRelated([kinds = related.kinds, nodes = related.finalNodes, lines](const OpRow& row) {
            switch (row.target.kind) {
                case Selection::Kind::OpKind:
                    return kinds.contains(row.target.id);
                case Selection::Kind::Node:
                    return nodes.contains(row.target.id);
                case Selection::Kind::Line:
                    return lines.contains({row.target.id, row.target.line});
                default:
                    return false;
            }
        });
        eventModel_->setRelated(related.events);
        if (grouping_->currentIndex() != kEvents) {
            table_->revealRelated();
        } else if (related.firstEvent > 0 && eventModel_->rowOf(related.of) < 0) {
            events_->scrollTo(eventModel_->index(eventModel_->rowOf(Selection::opEvent(related.firstEvent)), 0));
        }
    }

 private:
    QComboBox* grouping_;
    SearchBar* filter_;
    QStackedWidget* stack_;
    TableView* table_;
    TableView* events_;
    OpModel* model_;
    EventModel* eventModel_;
    bool fitted_ = false;
};

}  // namespace

}  // namespace fusescope::gui

namespace fusescope {

gui::PanelDefinition panel_ops() {
    return {QStringLiteral("ops"),
            QT_TRANSLATE_NOOP("panel", "Ops"),
            QStringLiteral("table"),
            gui::DockPlace::Bottom,
            1,
            QKeySequence(Qt::CTRL | Qt::Key_5),
            [](gui::Session& session) { return new gui::OpsPanel(session); }};
}

}  // namespace fusescope

#include "ops.moc"
