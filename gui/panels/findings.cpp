// Panel: findings, worst first.
#include "profiler/query/findings.hpp"

#include <QLabel>
#include <QVBoxLayout>

#include "gui/app/panel.hpp"
#include "gui/app/session.hpp"
#include "gui/models/finding_model.hpp"
#include "gui/widgets/table_view.hpp"

namespace fusescope::gui {

namespace {

class FindingsPanel : public Panel {
    Q_OBJECT

 public:
    explicit FindingsPanel(Session& session)
        : Panel(session), table_(new TableView(tr("Findings"))), model_(new FindingModel(this)), empty_(new QLabel) {
        auto* column = new QVBoxLayout(this);
        column->setContentsMargins(0, 0, 0, 0);
        empty_->setAlignment(Qt::AlignCenter);
        empty_->setWordWrap(true);
        empty_->setForegroundRole(QPalette::PlaceholderText);
        empty_->hide();
        column->addWidget(empty_);
        column->addWidget(table_);
        table_->setObjectName("findingTable");
        table_->setTable(model_, true);
        table_->sortByColumn(FindingModel::Severity, Qt::AscendingOrder);
        connect(table_, &TableView::chosen, &session, &Session::select);
    }

 protected:
    void reload() override {
        session_.jobs().run(
            this, QStringLiteral("findings"),
            [](JobContext& context) { return findingRows(query::findings(context.database())); },
            [this](QVector<FindingRow> rows) {
                const bool fit = model_->rowCount() == 0 && !rows.isEmpty();
                empty_->setText(session_.isLive() ? tr("Nothing was found so far.")
                                                  : tr("Nothing was found in this run."));
                empty_->setVisible(rows.isEmpty());
                table_->setVisible(!rows.isEmpty());
                model_->setRows(std::move(rows));
                if (fit) {
                    table_->fitColumns(FindingModel::What);
                }
                table_->showSelection(session_.selection());
            });
    }

    void clear() override { model_->setRows({}); }

    void showSelection(const Selection& selection) override {
        table_->showSelection(selection);
        if (selection.isNone()) {
            model_->setRelated({});
        }
    }

    void showRelated(const Related& related) override {
        model_->setRelated([ids = related.findings](const FindingRow& row) { return ids.contains(row.id); });
        table_->revealRelated();
    }

 private:
    TableView* table_;
    FindingModel* model_;
    QLabel* empty_;
};

}  // namespace

}  // namespace fusescope::gui

namespace fusescope {

gui::PanelDefinition panel_findings() {
    return {QStringLiteral("findings"),
            QT_TRANSLATE_NOOP("panel", "Findings"),
            QStringLiteral("finding"),
            gui::DockPlace::Bottom,
            7,
            QKeySequence(Qt::CTRL | Qt::Key_8),
            [](gui::Session& session) { return new gui::FindingsPanel(session); }};
}

}  // namespace fusescope

#include "findings.moc"
