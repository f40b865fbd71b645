// Panel: the open profile beside another one, op by op and line by line, and the one minus the other.
#include "profiler/report/compare.hpp"

#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "gui/app/panel.hpp"
#include "gui/app/session.hpp"
#include "gui/app/theme.hpp"
#include "gui/models/table_model.hpp"
#include "gui/timeline/timeline_lanes.hpp"
#include "gui/widgets/format.hpp"
#include "gui/widgets/hint.hpp"
#include "gui/widgets/icon_button.hpp"
#include "gui/widgets/search_bar.hpp"
#include "gui/widgets/table_view.hpp"
#include "profiler/query/frames.hpp"

namespace fusescope::gui {

namespace {

struct DeltaRow {
    report::Delta delta;
    QString name;
    Selection target;  ///< in the open profile; none when it is only in the other one
    double size = 0;   ///< of the change, beside the largest one
    bool modelled = false;
    bool bytes = false;

    double change() const { return static_cast<double>(delta.change()); }
};

struct Answer {
    QVector<DeltaRow> ops, lines, kernels, transfers, memory;
    report::Report other, open;
};

class DeltaModel : public RowModel<DeltaRow> {
    Q_OBJECT

 public:
    enum Columns { Name, Other, Open, Difference, Percent, OtherCount, OpenCount };

    explicit DeltaModel(QObject* parent) : RowModel<DeltaRow>(parent) {
        const auto modelled = [](const DeltaRow& row) { return row.modelled; };
        const auto value = [&](const QString& title, const QString& tip, auto number, auto count) {
            return Column{title,
                          tip,
                          [number, count](const DeltaRow& row) {
                              return count(row) == 0 ? QStringLiteral("–")
                                                     : text(row, static_cast<double>(number(row)));
                          },
                          [number](const DeltaRow& row) { return QVariant(static_cast<qint64>(number(row))); },
                          {},
                          modelled,
                          {},
                          {},
                          true};
        };
        const auto count = [](const QString& title, auto number) {
            return Column{title,
                          {},
                          [number](const DeltaRow& row) { return integerText(number(row)); },
                          [number](const DeltaRow& row) { return QVariant(static_cast<qint64>(number(row))); },
                          {},
                          {},
                          {},
                          {},
                          true};
        };
        const auto otherCount = [](const DeltaRow& row) { return row.delta.base_count; };
        const auto openCount = [](const DeltaRow& row) { return row.delta.new_count; };
        const auto color = [](const DeltaRow& row) {
            return row.change() == 0 ? QVariant() : QVariant(row.change() > 0 ? theme().warning : theme().related);
        };
        QVector<Column> columns;
        columns.push_back({tr("What"),
                           {},
                           [](const DeltaRow& row) { return row.name; },
                           {},
                           {},
                           {},
                           [](const DeltaRow& row) { return QString::fromStdString(row.delta.detail); },
                           {},
                           false});
        columns.push_back(value(
            tr("Other"), tr("In the other profile"), [](const DeltaRow& row) { return row.delta.base_value; },
            otherCount));
        columns.push_back(value(
            tr("This"), tr("In the open profile"), [](const DeltaRow& row) { return row.delta.new_value; }, openCount));
        columns.push_back({tr("Difference"),
                           tr("This one minus the other; sorted by its size, whatever its sign"),
                           [](const DeltaRow& row) {
                               const double change = row.change();
                               return change == 0 ? text(row, 0)
                                                  : (change > 0 ? QStringLiteral("+") : QStringLiteral("−")) +
                                                        text(row, std::fabs(change));
                           },
                           [](const DeltaRow& row) { return QVariant(std::fabs(row.change())); },
                           [](const DeltaRow& row) { return QVariant(row.size); },
                           modelled,
                           {},
                           color,
                           true});
        columns.push_back({tr("Change"),
                           {},
                           [](const DeltaRow& row) {
                               if (row.delta.base_count == 0 || row.delta.new_count == 0) {
                                   return row.delta.base_count == 0 ? tr("only in this") : tr("only in the other");
                               }
                               const auto percent = row.delta.percent();
                               return percent ? (*percent > 0 ? QStringLiteral("+") : QString()) +
                                                    QString::number(*percent, 'f', 1) + QStringLiteral(" %")
                                              : QString();
                           },
                           [](const DeltaRow& row) { return QVariant(row.delta.percent().value_or(1e9)); },
                           {},
                           {},
                           {},
                           color,
                           true});
        columns.push_back(count(tr("Count, other"), otherCount));
        columns.push_back(count(tr("Count, this"), openCount));
        setColumns(std::move(columns));
    }

    Selection selectionAt(int row) const override { return rows_.value(row).target; }
    int rowOf(const Selection& selection) const override {
        for (int i = 0; !selection.isNone() && i < rows_.size(); ++i) {
            if (rows_[i].target == selection) {
                return i;
            }
        }
        return -1;
    }

 private:
    static QString text(const DeltaRow& row, double value) {
        return row.bytes ? bytesText(value) : durationText(value);
    }
};

// Where the rows of the open profile lead to.
class Targets {
 public:
    Targets(Database& database, const report::Report& open) : open_(open) {
        for (const auto& kind : query::op_kinds(database)) {
            kinds_.insert(QString::fromStdString(kind.name), kind.id);
        }
        for (const auto& source : query::sources(database)) {
            sources_.insert(QString::fromStdString(source.path), source.id);
        }
    }

    Selection ofOp(const report::Delta& delta) const {
        const auto kind = kinds_.constFind(QString::fromStdString(delta.name));
        return kind == kinds_.constEnd() ? Selection() : Selection::opKind(kind.value());
    }

    Selection ofLine(const report::Delta& delta) const {
        for (const auto& times : open_.times) {
            for (const auto& row : times.lines) {
                const QString path = QString::fromStdString(row.place.file);
                if (row.place.source == delta.detail && sources_.contains(path) &&
                    QString::fromStdString(delta.name).startsWith(QFileInfo(path).fileName())) {
                    return Selection::sourceLine(sources_.value(path), static_cast<int>(row.place.line));
                }
            }
        }
        return {};
    }

 private:
    const report::Report& open_;
    QHash<QString, qint64> kinds_, sources_;
};

void add(QVector<DeltaRow>& rows, const std::vector<report::Delta>& deltas, bool bytes, bool modelled,
         const std::function<Selection(const report::Delta&)>& target) {
    for (const auto& delta : deltas) {
        DeltaRow row;
        row.delta = delta;
        row.name = QString::fromStdString(delta.name);
        row.bytes = bytes;
        row.modelled = modelled;
        if (delta.new_count > 0 && target) {
            row.target = target(delta);
        }
        rows.push_back(std::move(row));
    }
    double most = 0;
    for (const auto& row : std::as_const(rows)) {
        most = std::max(most, std::fabs(row.change()));
    }
    for (auto& row : rows) {
        row.size = most > 0 ? std::fabs(row.change()) / most : 0;
    }
}

Answer compareWith(Database& open, const QString& path) {
    Answer answer;
    Database other = Database::open_readonly(path.toStdString());
    answer.other = report::collect(other);
    answer.open = report::collect(open);
    const auto comparison = report::compare(answer.other, answer.open);
    const Targets targets(open, answer.open);
    for (const auto& times : comparison.times) {
        const bool modelled = times.clock == Clock::modelled;
        add(answer.ops, times.ops, false, modelled, [&](const auto& delta) { return targets.ofOp(delta); });
        add(answer.lines, times.lines, false, modelled, [&](const auto& delta) { return targets.ofLine(delta); });
        add(answer.kernels, times.kernels, false, modelled, {});
    }
    add(answer.transfers, comparison.transfers, true, false, {});
    add(answer.memory, comparison.memory, true, false, {});
    for (auto& row : answer.memory) {
        row.name = deviceName(row.name);
    }
    return answer;
}

class ComparePanel : public Panel {
    Q_OBJECT

 public:
    explicit ComparePanel(Session& session)
        : Panel(session),
          path_(new QLineEdit),
          what_(new QComboBox),
          words_(new QLabel),
          filter_(new SearchBar(tr("Filter"))),
          table_(new TableView(tr("Differences between two profiles"))),
          hint_(new Hint(*table_)),
          model_(new DeltaModel(this)) {
        auto* column = new QVBoxLayout(this);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        auto* bar = new QHBoxLayout;
        bar->setContentsMargins(6, 4, 6, 4);
        path_->setPlaceholderText(tr("the other profile"));
        path_->setAccessibleName(tr("The other profile"));
        path_->setObjectName("otherProfile");
        path_->setClearButtonEnabled(true);
        auto* choose = new IconButton(QStringLiteral("open"), tr("Choose the profile to compare with"));
        what_->addItems({tr("ops"), tr("source lines"), tr("kernels"), tr("transfers"), tr("memory at its peak")});
        what_->setAccessibleName(tr("What is compared"));
        what_->setObjectName("compareWhat");
        words_->setForegroundRole(QPalette::PlaceholderText);
        words_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        words_->setObjectName("compareWords");
        bar->addWidget(path_, 1);
        bar->addWidget(choose);
        bar->addWidget(what_);
        bar->addWidget(filter_, 1);
        column->addLayout(bar);
        auto* line = new QHBoxLayout;
        line->setContentsMargins(8, 0, 8, 4);
        line->addWidget(words_);
        column->addLayout(line);
        column->addWidget(table_, 1);
        table_->setObjectName("compareTable");
        table_->setTable(model_, true);
        table_->sortByColumn(DeltaModel::Difference, Qt::DescendingOrder);
        connect(choose, &QToolButton::clicked, this, &ComparePanel::chooseOther);
        connect(path_, &QLineEdit::returnPressed, this, [this] {
            other_ = path_->text().trimmed();
            ask();
        });
        connect(what_, &QComboBox::currentIndexChanged, this, &ComparePanel::show);
        connect(filter_, &SearchBar::textChanged, table_, &TableView::setFilter);
        connect(table_, &TableView::chosen, &session, &Session::select);
        show();
    }

    void find() override { filter_->focus(); }

    void takeOver(Panel& old) override {
        other_ = static_cast<ComparePanel&>(old).other_;
        path_->setText(other_);
    }

 protected:
    void reload() override { ask(); }

    void clear() override {
        answer_ = {};
        failure_.clear();
        ready_ = false;
        show();
    }

    void showSelection(const Selection& selection) override { table_->showSelection(selection); }

 private:
    void chooseOther() {
        const QString start = other_.isEmpty() ? QFileInfo(session_.path()).path() : QFileInfo(other_).path();
        const QString path = QFileDialog::getOpenFileName(this, tr("Profile to compare with"), start,
                                                          tr("Profiles (*.fscope);;All files (*)"));
        if (!path.isEmpty()) {
            other_ = path;
            path_->setText(path);
            ask();
        }
    }

    void ask() {
        failure_.clear();
        if (!session_.hasProfile() || other_.isEmpty()) {
            ready_ = false;
            show();
            return;
        }
        session_.jobs().run(
            this, QStringLiteral("compare"),
            [path = other_](JobContext& context) { return compareWith(context.database(), path); },
            [this](Answer answer) {
                answer_ = std::move(answer);
                ready_ = true;
                show();
                table_->fitColumns(DeltaModel::Name);
                table_->showSelection(session_.selection());
            },
            [this](const QString& reason) {
                ready_ = false;
                failure_ = reason;
                show();
            });
    }

    void show() {
        const QVector<DeltaRow>* const rows[] = {&answer_.ops, &answer_.lines, &answer_.kernels, &answer_.transfers,
                                                 &answer_.memory};
        const auto& shown = *rows[std::clamp(what_->currentIndex(), 0, 4)];
        model_->setRows(ready_ ? shown : QVector<DeltaRow>());
        hint_->setText(!failure_.isEmpty() ? failure_
                       : !ready_           ? tr("Choose another profile to compare the open one with.")
                       : shown.isEmpty()   ? tr("Neither profile has any.")
                                           : QString());
        words_->setVisible(ready_);
        if (ready_) {
            words_->setText(summary());
            words_->setToolTip(words_->text());
        }
    }

    // What one should know before one believes a difference.
    QString summary() const {
        const auto& other = answer_.other;
        const auto& open = answer_.open;
        QStringList parts;
        for (size_t clock = 0; clock < open.times.size(); ++clock) {
            if (other.times[clock].count > 0 || open.times[clock].count > 0) {
                parts << tr("op time%1: %2 there, %3 here")
                             .arg(open.times[clock].clock == Clock::modelled ? tr(" (modelled)") : QString(),
                                  durationText(static_cast<double>(other.times[clock].self_ns)),
                                  durationText(static_cast<double>(open.times[clock].self_ns)));
            }
        }
        const auto differ = [&parts](const QString& what, const std::string& there, const std::string& here) {
            if (there != here) {
                parts << what.arg(QString::fromStdString(there), QString::fromStdString(here));
            }
        };
        differ(tr("mode %1 there, %2 here"), other.mode, open.mode);
        differ(tr("device %1 there, %2 here"), other.device, open.device);
        differ(tr("ended %1 there, %2 here"), other.status, open.status);
        if (QFileInfo(QString::fromStdString(other.script)).fileName() !=
            QFileInfo(QString::fromStdString(open.script)).fileName()) {
            differ(tr("script %1 there, %2 here"), other.script, open.script);
        }
        if (other.steps != open.steps) {
            parts << tr("%1 steps there, %2 here").arg(integerText(other.steps), integerText(open.steps));
        }
        return parts.join(QStringLiteral("  ·  "));
    }

    QLineEdit* path_;
    QComboBox* what_;
    QLabel* words_;
    SearchBar* filter_;
    TableView* table_;
    Hint* hint_;
    DeltaModel* model_;
    QString other_;
    QString failure_;
    Answer answer_;
    bool ready_ = false;
};

}  // namespace

}  // namespace fusescope::gui

namespace fusescope {

gui::PanelDefinition panel_compare() {
    return {QStringLiteral("compare"),
            QT_TRANSLATE_NOOP("panel", "Two profiles"),
            QStringLiteral("compare_profiles"),
            gui::DockPlace::Bottom,
            10,
            QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_9),
            [](gui::Session& session) { return new gui::ComparePanel(session); }};
}

}  // namespace fusescope

#include "compare.moc"
