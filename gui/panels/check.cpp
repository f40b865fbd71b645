// Panel: the ops that differ between the eager run of a program and that of graphs, with what makes each difference and
// both tensors side by side.
#include <QComboBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>
#include <utility>

#include "gui/app/check_run.hpp"
#include "gui/app/panel.hpp"
#include "gui/app/session.hpp"
#include "gui/app/theme.hpp"
#include "gui/models/check_model.hpp"
#include "gui/models/tensor_pair_model.hpp"
#include "gui/widgets/format.hpp"
#include "gui/widgets/hint.hpp"
#include "gui/widgets/table_view.hpp"
#include "profiler/query/frames.hpp"

namespace fusescope::gui {

namespace {

class CheckPanel : public Panel {
    Q_OBJECT

 public:
    explicit CheckPanel(Session& session)
        : Panel(session),
          model_(new CheckModel(this)),
          table_(new TableView(tr("Ops that differ"))),
          hint_(new Hint(*table_)),
          pair_(new TensorPairModel(this)),
          elements_(new TableView(tr("Elements of both tensors"))),
          elementsHint_(new Hint(*elements_)),
          verdict_(new QLabel),
          facts_(new QLabel),
          detail_(new QLabel),
          order_(new QComboBox),
          eager_(new QToolButton),
          graph_(new QToolButton) {
        auto* column = new QVBoxLayout(this);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        column->addLayout(makeHead());
        auto* split = new QSplitter(Qt::Horizontal);
        split->setChildrenCollapsible(false);
        split->addWidget(table_);
        side_ = makeSide();
        split->addWidget(side_);
        split->setStretchFactor(0, 1);
        split->setStretchFactor(1, 1);
        split->setSizes({780, 500});
        column->addWidget(split, 1);
        table_->setObjectName("checkTable");
        table_->setTable(model_, false);
        elements_->setObjectName("checkElements");
        elements_->setTable(pair_, false);
        connect(table_, &TableView::chosen, &session, &Session::select);
        connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &CheckPanel::showRow);
        CheckRun& run = session.check();
        connect(&run, &CheckRun::changed, this, &CheckPanel::take);
        connect(&session, &Session::profileOpened, this, [this] {
            if (isOurs(session_.path())) {
                emit wanted();
            }
        });
        connect(&run, &CheckRun::profileAppeared, this, [this] { fresh_ = true; });
        take();
    }

    void takeOver(Panel& old) override {
        const auto& other = static_cast<const CheckPanel&>(old);
        const int row = other.table_->currentIndex().row();
        keeping_ = true;
        table_->selectionModel()->setCurrentIndex(model_->index(row, 0),
                                                  QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
        keeping_ = false;
        chosenByUs_ = other.chosenByUs_;
        fresh_ = other.fresh_;
    }

 protected:
    void reload() override {
        const QString path = session_.path();
        const CheckAnswer& answer = model_->answer();
        model_->setShown(!path.isEmpty() && path == answer.graphProfile   ? CheckModel::Shown::Graph
                         : !path.isEmpty() && path == answer.eagerProfile ? CheckModel::Shown::Eager
                                                                          : CheckModel::Shown::Neither);
        eager_->setChecked(model_->shown() == CheckModel::Shown::Eager);
        graph_->setChecked(model_->shown() == CheckModel::Shown::Graph);
        const int row = table_->currentIndex().row();
        if (row < 0 && fresh_ && model_->rowCount() > 0) {
            fresh_ = false;
            chooseFirst();
        } else if (row >= 0) {
            const bool byUs = chosenByUs_;
            showRow();  // jobs of the profile before are gone
            chosenByUs_ = byUs;
            select(row);
        }
    }

    void clear() override {
        model_->setShown(CheckModel::Shown::Neither);
        eager_->setChecked(false);
        graph_->setChecked(false);
    }

    void showSelection(const Selection& selection) override {
        // What stands for no op that differs leaves the chosen one: its values are still on show.
        if (model_->rowOf(selection) >= 0) {
            table_->showSelection(selection);
        }
        if (selection.isNone()) {
            model_->setRelated({});
        }
    }

    void showRelated(const Related& related) override {
        const auto shown = model_->shown();
        model_->setRelated([events = related.events, shown](const CheckRow& row) {
            return (shown == CheckModel::Shown::Graph && events.contains(row.graphEvent)) ||
                   (shown == CheckModel::Shown::Eager && events.contains(row.eagerEvent));
        });
    }

    void changeEvent(QEvent* event) override {
        Panel::changeEvent(event);
        if (event->type() == QEvent::PaletteChange) {
            showHead();
        }
    }

 private:
    QLayout* makeHead() {
        auto* head = new QHBoxLayout;
        head->setContentsMargins(8, 4, 6, 4);
        head->setSpacing(6);
        auto* words = new QVBoxLayout;
        words->setSpacing(0);
        verdict_->setObjectName("checkVerdict");
        facts_->setObjectName("checkFacts");
        facts_->setForegroundRole(QPalette::PlaceholderText);
        for (QLabel* label : {verdict_, facts_}) {
            label->setTextInteractionFlags(Qt::TextSelectableByMouse);
            label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
            words->addWidget(label);
        }
        head->addLayout(words, 1);
        const auto button = [&](QToolButton* which, const char* id, const QString& text, const QString& tip) {
            which->setObjectName(QLatin1String(id));
            which->setText(text);
            which->setToolTip(tip);
            which->setCheckable(true);
            which->setAutoRaise(true);
            head->addWidget(which);
        };
        button(graph_, "checkShowGraph", tr("Graph Run"), tr("Show the recording of the run as graphs in all panels"));
        button(eager_, "checkShowEager", tr("Eager Run"), tr("Show the recording of the eager run in all panels"));
        connect(graph_, &QToolButton::clicked, this, [this] { open(model_->answer().graphProfile); });
        connect(eager_, &QToolButton::clicked, this, [this] { open(model_->answer().eagerProfile); });
        return head;
    }

    QWidget* makeSide() {
        auto* side = new QWidget;
        auto* column = new QVBoxLayout(side);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(2);
        // Two lines that are cut at the right: the tool tip has all of it.
        detail_->setObjectName("checkDetail");
        detail_->setTextInteractionFlags(Qt::TextSelectableByMouse);
        detail_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        order_->setObjectName("checkOrder");
        order_->setAccessibleName(tr("Which elements"));
        order_->setToolTip(tr("Which elements of the two tensors are shown"));
        order_->addItem(tr("largest first"), static_cast<int>(ElementOrder::Largest));
        order_->addItem(tr("that differ"), static_cast<int>(ElementOrder::Index));
        order_->addItem(tr("all"), static_cast<int>(ElementOrder::All));
        connect(order_, &QComboBox::activated, this, &CheckPanel::askElements);
        auto* row = new QHBoxLayout;
        row->setContentsMargins(6, 2, 6, 2);
        row->addWidget(detail_, 1);
        row->addWidget(order_);
        column->addLayout(row);
        column->addWidget(elements_, 1);
        side->setMinimumWidth(280);
        return side;
    }

    bool isOurs(const QString& path) const {
        const CheckAnswer* const answer = session_.check().answer();
        return answer && !path.isEmpty() && (path == answer->graphProfile || path == answer->eagerProfile);
    }

    void open(const QString& profile) {
        if (profile != session_.path()) {
            session_.open(profile);
        }
        eager_->setChecked(profile == model_->answer().eagerProfile);
        graph_->setChecked(profile == model_->answer().graphProfile);
    }

    void take() {
        const CheckAnswer* const answer = session_.check().answer();
        const int before = table_->currentIndex().row();
        const std::optional<CheckRow> chosen =
            before >= 0 && before < model_->rows().size() ? std::optional(model_->rows()[before]) : std::nullopt;
        const bool fit = model_->rowCount() == 0;
        const bool hadRow = chosen && answer;
        keeping_ = true;
        model_->setAnswer(answer ? *answer : CheckAnswer{});
        const int now = hadRow ? model_->rowLike(*chosen) : -1;
        if (now >= 0) {
            table_->selectionModel()->setCurrentIndex(model_->index(now, 0),
                                                      QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
        }
        keeping_ = false;
        if (fit && model_->rowCount() > 0) {
            table_->fitColumns(-1);
            QHeaderView* const header = table_->horizontalHeader();
            header->setStretchLastSection(header->length() < table_->viewport()->width());
        }
        // An earlier op may have been found inside a kernel, or it is other ops that differ.
        if (chosen && now != 0 && chosenByUs_ && model_->rowCount() > 0) {
            chooseFirst();
        } else if (now < 0 || !chosen || chosen->eagerValues != model_->rows()[now].eagerValues) {
            showRow();
        } else {
            showDetail(model_->rows()[now]);
        }
        showHead();
        invalidate();
    }

    void showHead() {
        const CheckAnswer* const answer = session_.check().answer();
        QPalette tinted = palette();
        if (!answer) {
            verdict_->clear();
            facts_->clear();
            hint_->setText(
                session_.check().isRunning()
                    ? tr("The program runs eagerly.")
                    : tr("Run ▸ Compare Eager and Graph… tells whether graphs compute what the program says, "
                         "and which op, line and pass makes a difference."));
        } else {
            const bool agrees = answer->verdict == QStringLiteral("agree");
            const bool close = answer->verdict == QStringLiteral("close");
            const QString sign = !answer->compares()                             ? QString()
                                 : agrees || close                               ? QStringLiteral("✔ ")
                                 : answer->verdict == QStringLiteral("unsteady") ? QStringLiteral("▲ ")
                                                                                 : QStringLiteral("✖ ");
            const QString more = behaviourText(*answer);
            verdict_->setText(sign + verdictText(*answer) + (more.isEmpty() ? more : QLatin1Char(' ') + more));
            verdict_->setToolTip(verdict_->text());
            facts_->setText(answer->finished() ? factsText(*answer) : doingText(*answer));
            if (answer->compares() && !agrees && !close) {
                tinted.setColor(QPalette::WindowText,
                                answer->verdict == QStringLiteral("unsteady") ? theme().warning : theme().error);
            }
            hint_->setText(!answer->rows.isEmpty() ? QString()
                           : answer->compares()    ? verdictText(*answer)
                                                   : doingText(*answer));
        }
        QFont bold = font();
        bold.setBold(true);
        const bool rows = model_->rowCount() > 0;
        side_->setVisible(rows);
        table_->horizontalHeader()->setVisible(rows);
        verdict_->setFont(bold);
        verdict_->setPalette(tinted);
        graph_->setVisible(answer && !answer->graphProfile.isEmpty());
        eager_->setVisible(answer && !answer->eagerProfile.isEmpty());
    }

    void chooseFirst() {
        table_->setCurrentIndex(model_->index(0, 0));
        chosenByUs_ = true;
    }

    const CheckRow* row() const {
        const int at = table_->currentIndex().row();
        return at >= 0 && at < model_->rows().size() ? &model_->rows()[at] : nullptr;
    }

    void showRow() {
        if (keeping_) {
            return;
        }
        chosenByUs_ = false;
        const CheckRow* const chosen = row();
        order_->setEnabled(chosen);
        if (!chosen) {
            detail_->clear();
            detail_->hide();
            session_.jobs().cancel(this, QStringLiteral("elements"));
            pair_->setRows({});
            elementsHint_->setText(model_->rowCount() > 0 ? tr("Choose an op: its two tensors are shown here.")
                                                          : QString());
            return;
        }
        showDetail(*chosen);
        askElements();
        if (model_->selectionAt(table_->currentIndex().row()).isNone()) {
            selectLine(*chosen);
        }
    }

    void showDetail(const CheckRow& chosen) {
        QString head = QStringLiteral("<b>%1</b>").arg(chosen.place.text().toHtmlEscaped());
        if (!chosen.place.source.isEmpty()) {
            head += QStringLiteral(" &nbsp;<code>%1</code>").arg(chosen.place.source.toHtmlEscaped());
        }
        QStringList more{chosen.dtype + chosen.shape};
        if (!chosen.scope.isEmpty()) {
            more << chosen.scope;
        }
        if (chosen.phase != QStringLiteral("forward") && !chosen.phase.isEmpty()) {
            more << chosen.phase;
        }
        if (chosen.step > 0) {
            more << tr("step %1").arg(chosen.step);
        }
        if (!chosen.kernel.isEmpty()) {
            QStringList members;
            for (const CheckPlace& member : chosen.members) {
                members << member.text();
            }
            more << tr("computed by %1 in graph %2").arg(chosen.kernel, chosen.graph);
            if (members.size() > 1) {
                more << tr("which holds %1").arg(members.join(QStringLiteral(", ")));
            }
        }
        const CheckCause* const cause = model_->answer().causeOf(chosen);
        QString second;
        if (cause) {
            second = causeText(*cause);
            more << causeText(*cause);
            if (!cause->pass.isEmpty()) {
                more << tr("With it alone: %1")
                            .arg(QStringLiteral("--passes=") +
                                 (cause->passesWith.isEmpty() ? cause->passes : cause->passesWith))
                     << tr("Without it: %1").arg(QStringLiteral("--passes=-") + cause->pass);
            }
        } else if (model_->answer().verdict == QStringLiteral("unsteady")) {
            second = tr("Both values are of eager runs.");
        } else {
            second = more.join(QStringLiteral(", "));
        }
        detail_->setText(head + QStringLiteral("<br>") + second.toHtmlEscaped());
        QStringList tip{head};
        for (const QString& line : std::as_const(more)) {
            tip << line.toHtmlEscaped();
        }
        detail_->setToolTip(QStringLiteral("<p>%1</p>").arg(tip.join(QStringLiteral("<br>"))));
        detail_->show();
    }

    void askElements() {
        const CheckRow* const chosen = row();
        if (!chosen) {
            return;
        }
        if (chosen->eagerValues.isEmpty() || chosen->graphValues.isEmpty()) {
            session_.jobs().cancel(this, QStringLiteral("elements"));
            pair_->setRows({});
            elementsHint_->setText(chosen->what == QStringLiteral("values") ||
                                           chosen->what == QStringLiteral("not kept")
                                       ? tr("The tensors were too large to be kept.")
                                       : tr("%1 eagerly, %2 as graphs").arg(chosen->eager, chosen->graphValue));
            return;
        }
        if (chosen->what != QStringLiteral("values")) {
            pair_->setRows({});
            elementsHint_->setText(tr("%1 eagerly, %2 as graphs").arg(chosen->eager, chosen->graphValue));
            return;
        }
        const auto order = static_cast<ElementOrder>(order_->currentData().toInt());
        session_.jobs().run(
            this, QStringLiteral("elements"),
            [first = chosen->eagerValues, second = chosen->graphValues, dtype = chosen->dtype, order](JobContext&) {
                return readTensorPair(first, second, dtype, order);
            },
            [this](TensorPair pair) {
                elementsHint_->setText({});
                elements_->setToolTip(
                    pair.whole ? QString() : tr("Only the first %1 are shown.").arg(integerText(pair.rows.size())));
                pair_->setRows(std::move(pair.rows));
                elements_->fitColumns(TensorPairModel::Difference);
            },
            [this](const QString& why) {
                pair_->setRows({});
                elementsHint_->setText(why);
            });
    }

    void select(int row) {
        const Selection selection = model_->selectionAt(row);
        if (!selection.isNone()) {
            session_.select(selection);
        } else if (row >= 0 && row < model_->rows().size()) {
            selectLine(model_->rows()[row]);
        }
    }

    // Another profile of the script is open: the line is what both have.
    void selectLine(const CheckRow& chosen) {
        if (!session_.hasProfile() || chosen.place.file.isEmpty()) {
            return;
        }
        session_.jobs().run(
            this, QStringLiteral("line"),
            [file = chosen.place.file](JobContext& context) -> qint64 {
                for (const auto& source : query::sources(context.database())) {
                    if (QFileInfo(QString::fromStdString(source.path)).fileName() == QFileInfo(file).fileName()) {
                        return source.id;
                    }
                }
                return 0;
            },
            [this, line = chosen.place.line](qint64 source) {
                if (source > 0) {
                    session_.select(Selection::sourceLine(source, line));
                }
            });
    }

    CheckModel* model_;
    TableView* table_;
    Hint* hint_;
    TensorPairModel* pair_;
    TableView* elements_;
    Hint* elementsHint_;
    QLabel* verdict_;
    QLabel* facts_;
    QLabel* detail_;
    QWidget* side_ = nullptr;
    QComboBox* order_;
    QToolButton* eager_;
    QToolButton* graph_;
    bool fresh_ = false;  // the first row is to be chosen once its profile is open
    bool chosenByUs_ = false;
    bool keeping_ = false;  // rows are exchanged under the chosen one
};

}  // namespace

}  // namespace fusescope::gui

namespace fusescope {

gui::PanelDefinition panel_check() {
    return {QStringLiteral("check"),
            QT_TRANSLATE_NOOP("panel", "Eager/Graph"),
            QStringLiteral("compare"),
            gui::DockPlace::Bottom,
            9,
            QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_8),
            [](gui::Session& session) { return new gui::CheckPanel(session); }};
}

}  // namespace fusescope

#include "check.moc"
