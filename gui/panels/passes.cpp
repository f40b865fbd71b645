// Panel: the passes that the graph went through, what each did and took; and what became of the nodes between the two
// stages that are shown. Choosing a pass shows the graph before and after it in all panels.
#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>

#include "gui/app/panel.hpp"
#include "gui/app/session.hpp"
#include "gui/models/stage_model.hpp"
#include "gui/widgets/hint.hpp"
#include "gui/widgets/stage_picker.hpp"
#include "gui/widgets/table_view.hpp"

namespace fusescope::gui {

namespace {

constexpr int kWidest = 190;  // of a column of changes

class PassesPanel : public Panel {
    Q_OBJECT

 public:
    explicit PassesPanel(Session& session)
        : Panel(session),
          stages_(new StageModel(this)),
          changes_(new ChangeModel(this)),
          stageTable_(new TableView(tr("Passes"))),
          changeTable_(new TableView(tr("What became of the nodes"))),
          noStages_(new Hint(*stageTable_)),
          noChanges_(new Hint(*changeTable_)) {
        auto* column = new QVBoxLayout(this);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        column->addLayout(makeBar());
        stageTable_->setObjectName(QStringLiteral("passTable"));
        changeTable_->setObjectName(QStringLiteral("changeTable"));
        stageTable_->setTable(stages_, false);
        changeTable_->setTable(changes_, true);
        changeTable_->sortByColumn(-1, Qt::AscendingOrder);
        auto* splitter = new QSplitter(Qt::Horizontal);
        splitter->addWidget(stageTable_);
        splitter->addWidget(changeTable_);
        splitter->setChildrenCollapsible(false);
        splitter->setStretchFactor(0, 1);
        splitter->setStretchFactor(1, 1);
        column->addWidget(splitter, 1);
        connect(stageTable_, &TableView::chosen, this, &PassesPanel::choose);
        connect(changeTable_, &TableView::chosen, &session, &Session::select);
        connect(&session.stages(), &ShownStages::stagesChanged, this, [this] { invalidate(); });
        connect(&session.stages(), &ShownStages::shownChanged, this, [this] { invalidate(); });
    }

 protected:
    void reload() override {
        const ShownStages& shown = session_.stages();
        struct Answer {
            QVector<StageRow> stages;
            QVector<ChangeRow> changes;
        };
        session_.jobs().run(
            this, QStringLiteral("passes"),
            [graph = shown.graph(), order = shown.inOrder()](JobContext& context) {
                Answer answer;
                answer.stages = stageRows(context.database(), graph);
                answer.changes = changeRows(context.database(), graph, order.first, order.second);
                return answer;
            },
            [this](Answer answer) {
                const bool fresh = stages_->rowCount() == 0;
                const bool noGraph = answer.stages.isEmpty();
                noStages_->setText(noGraph ? tr("No graph was compiled in this run.") : QString());
                noChanges_->setText(noGraph || !answer.changes.isEmpty() ? QString()
                                                                         : tr("The two stages are the same."));
                stages_->setRows(std::move(answer.stages));
                changes_->setRows(std::move(answer.changes));
                if (fresh && !noGraph) {
                    stageTable_->fitColumns(StageModel::Did);
                }
                changeTable_->fitColumns(ChangeModel::Scope);
                for (const int each : {ChangeModel::Op, ChangeModel::Why, ChangeModel::Name}) {
                    changeTable_->setColumnWidth(each, std::min(changeTable_->columnWidth(each), kWidest));
                }
                showPair();
                changeTable_->showSelection(session_.selection());
            });
    }

    void clear() override {
        stages_->setRows({});
        changes_->setRows({});
        between_->clear();
        noStages_->setText({});
        noChanges_->setText({});
    }

    void showSelection(const Selection& selection) override {
        changeTable_->showSelection(selection);
        if (selection.isNone()) {
            changes_->setRelated({});
        }
    }

 private:
    QLayout* makeBar() {
        auto* bar = new QHBoxLayout;
        bar->setContentsMargins(6, 4, 6, 4);
        auto* graphs = new GraphPicker(session_.stages());
        auto* all = new QPushButton(tr("All passes"));
        all->setObjectName(QStringLiteral("allPasses"));
        all->setToolTip(tr("Show the graph as captured and the graph that ran"));
        between_ = new QLabel;
        between_->setForegroundRole(QPalette::PlaceholderText);
        bar->addWidget(graphs);
        bar->addWidget(all);
        bar->addStretch(1);
        bar->addWidget(between_);
        connect(all, &QPushButton::clicked, this, [this] {
            const auto& stages = session_.stages().stages();
            if (!stages.empty()) {
                session_.stages().setBoth(stages.front().id, stages.back().id);
            }
        });
        return bar;
    }

    void choose(const Selection& stage) {
        const int row = stages_->rowOf(stage);
        if (row >= 0) {
            const StageRow& chosen = stages_->rows()[row];
            session_.stages().setBoth(chosen.previous != 0 ? chosen.previous : chosen.id, chosen.id);
        }
    }

    // Marks what lies between the two stages, and the pass when it is one.
    void showPair() {
        const auto [earlier, later] = session_.stages().inOrder();
        const int from = stages_->rowOf(Selection::stage(earlier)), to = stages_->rowOf(Selection::stage(later));
        const bool all = from == 0 && to == stages_->rowCount() - 1;
        stages_->setRelated([from, to, all](const StageRow& row) {
            return from >= 0 && !all && row.ordinal > from && row.ordinal <= to;
        });
        stageTable_->showSelection(to == from + 1 || to == from ? Selection::stage(later) : Selection());
        between_->setText(from < 0 || to < 0 ? QString()
                          : to == from       ? tr("one stage: %1").arg(stages_->rows()[to].pass)
                                             : tr("changes from %1 to %2")
                                             .arg(QStringLiteral("%1 %2").arg(from).arg(stages_->rows()[from].pass),
                                                  QStringLiteral("%1 %2").arg(to).arg(stages_->rows()[to].pass)));
    }

    StageModel* stages_;
    ChangeModel* changes_;
    TableView* stageTable_;
    TableView* changeTable_;
    Hint* noStages_;
    Hint* noChanges_;
    QLabel* between_ = nullptr;
};

}  // namespace

}  // namespace fusescope::gui

namespace fusescope {

gui::PanelDefinition panel_passes() {
    return {QStringLiteral("passes"),
            QT_TRANSLATE_NOOP("panel", "Passes"),
            QStringLiteral("passes"),
            gui::DockPlace::Bottom,
            3,
            QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_G),
            [](gui::Session& session) { return new gui::PassesPanel(session); }};
}

}  // namespace fusescope

#include "passes.moc"
