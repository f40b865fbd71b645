// Panel: live memory over time, and who holds what is live at a moment.
#include "profiler/query/memory.hpp"

#include <QComboBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>
#include <optional>

#include "gui/app/panel.hpp"
#include "gui/app/session.hpp"
#include "gui/models/table_model.hpp"
#include "gui/plots/memory_plot.hpp"
#include "gui/timeline/timeline_lanes.hpp"
#include "gui/widgets/format.hpp"
#include "gui/widgets/table_view.hpp"
#include "profiler/query/memory_holders.hpp"

namespace fusescope::gui {

namespace {

struct HolderRow {
    query::MemoryHolder holder;
    double share = 0;
    QString sinceText;
};

class HolderModel : public RowModel<HolderRow> {
    Q_OBJECT

 public:
    enum Columns { Name, Line, Bytes, Share, Pieces, Since };

    explicit HolderModel(QObject* parent) : RowModel<HolderRow>(parent) {
        QVector<Column> columns;
        columns.push_back({tr("Allocated in"), {}, nameOf, {}, {}, {}, {}, {}, false});
        columns.push_back({tr("Line"),
                           {},
                           lineOf,
                           {},
                           {},
                           {},
                           [](const HolderRow& row) { return QString::fromStdString(row.holder.path); },
                           {},
                           false});
        columns.push_back({tr("Live"),
                           tr("Bytes that are live at the chosen moment"),
                           [](const HolderRow& row) { return bytesText(static_cast<double>(row.holder.bytes)); },
                           [](const HolderRow& row) { return QVariant(static_cast<qint64>(row.holder.bytes)); },
                           {},
                           {},
                           {},
                           {},
                           true});
        columns.push_back({tr("Share"),
                           {},
                           [](const HolderRow& row) { return percentText(row.share); },
                           [](const HolderRow& row) { return QVariant(row.share); },
                           [](const HolderRow& row) { return QVariant(row.share); },
                           {},
                           {},
                           {},
                           true});
        columns.push_back({tr("Pieces"),
                           tr("Growths of the memory that are still live"),
                           [](const HolderRow& row) { return integerText(row.holder.pieces); },
                           [](const HolderRow& row) { return QVariant(static_cast<qint64>(row.holder.pieces)); },
                           {},
                           {},
                           {},
                           {},
                           true});
        columns.push_back({tr("Since"),
                           tr("When the oldest of it was allocated"),
                           [](const HolderRow& row) { return row.sinceText; },
                           [](const HolderRow& row) { return QVariant(static_cast<qint64>(row.holder.since_ns)); },
                           {},
                           {},
                           {},
                           {},
                           true});
        setColumns(std::move(columns));
    }

    Selection selectionAt(int row) const override {
        const auto& holder = rows_[row].holder;
        return holder.op_event_id != 0 ? Selection::opEvent(holder.op_event_id) : Selection();
    }
    int rowOf(const Selection& selection) const override {
        for (int i = 0; !selection.isNone() && i < rows_.size(); ++i) {
            if (selectionAt(i) == selection) {
                return i;
            }
        }
        return -1;
    }

 private:
    static QString nameOf(const HolderRow& row) {
        switch (row.holder.what) {
            case query::MemoryHolder::What::outside:
                return tr("outside of ops: data, parameters");
            case query::MemoryHolder::What::before:
                return tr("before the recording began");
            case query::MemoryHolder::What::op:
                break;
        }
        return QString::fromStdString(row.holder.op);
    }
    static QString lineOf(const HolderRow& row) {
        return row.holder.source_id == 0 ? QString()
                                         : QStringLiteral("%1:%2")
                                               .arg(QFileInfo(QString::fromStdString(row.holder.path)).fileName())
                                               .arg(row.holder.line);
    }
};

class MemoryPanel : public Panel {
    Q_OBJECT

 public:
    explicit MemoryPanel(Session& session)
        : Panel(session),
          device_(new QComboBox),
          peak_(new QPushButton(tr("Peak"))),
          words_(new QLabel),
          plot_(new MemoryPlot),
          table_(new TableView(tr("Who holds the live memory"))),
          model_(new HolderModel(this)) {
        auto* column = new QVBoxLayout(this);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        auto* bar = new QHBoxLayout;
        bar->setContentsMargins(6, 4, 6, 4);
        device_->setAccessibleName(tr("Device"));
        device_->setObjectName("memoryDevice");
        peak_->setToolTip(tr("The moment at which most was live"));
        words_->setForegroundRole(QPalette::PlaceholderText);
        words_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        words_->setObjectName("memoryWords");
        bar->addWidget(device_);
        bar->addWidget(peak_);
        bar->addSpacing(6);
        bar->addWidget(words_, 1);
        column->addLayout(bar);
        auto* splitter = new QSplitter(Qt::Horizontal);
        splitter->addWidget(plot_);
        splitter->addWidget(table_);
        splitter->setChildrenCollapsible(false);
        splitter->setStretchFactor(0, 1);
        splitter->setStretchFactor(1, 1);
        splitter->setSizes({600, 480});
        column->addWidget(splitter, 1);
        plot_->setObjectName("memoryPlot");
        table_->setObjectName("memoryTable");
        table_->setTable(model_, true);
        table_->sortByColumn(HolderModel::Bytes, Qt::DescendingOrder);
        table_->setToolTip(
            tr("A recording tells how much was allocated and given back, not which piece. What is given "
               "back counts as the latest that is live."));
        connect(peak_, &QPushButton::clicked, this, [this] {
            moment_.reset();
            ask();
        });
        connect(device_, &QComboBox::activated, this, [this] { ask(); });
        connect(plot_, &MemoryPlot::momentChosen, this, [this](double time) {
            moment_ = static_cast<qint64>(time) + session_.summary().zeroNs;
            ask();
        });
        connect(table_, &TableView::chosen, &session, &Session::select);
        showMoment();
    }

 protected:
    void reload() override {
        session_.jobs().run(
            this, QStringLiteral("series"),
            [](JobContext& context) { return query::memory_series(context.database()); },
            [this](std::vector<query::MemorySeries> series) {
                series_ = std::move(series);
                const QString before = device_->currentText();
                device_->clear();
                QVector<MemoryPlot::Series> curves;
                const double zero = static_cast<double>(session_.summary().zeroNs);
                int largest = 0;
                for (size_t i = 0; i < series_.size(); ++i) {
                    MemoryPlot::Series curve;
                    curve.name = deviceName(QString::fromStdString(series_[i].device));
                    for (const auto& point : series_[i].points) {
                        curve.times.push_back(static_cast<double>(point.time_ns) - zero);
                        curve.bytes.push_back(static_cast<double>(point.total_bytes));
                    }
                    device_->addItem(curve.name);
                    curves.push_back(std::move(curve));
                    if (series_[i].peak_bytes > series_[static_cast<size_t>(largest)].peak_bytes) {
                        largest = static_cast<int>(i);
                    }
                }
                const int known = device_->findText(before);
                device_->setCurrentIndex(known >= 0 ? known : largest);
                plot_->setSeries(std::move(curves));
                ask();
            });
    }

    void clear() override {
        series_.clear();
        moment_.reset();
        device_->clear();
        plot_->setCurrent(-1, 0);
        plot_->setSeries({});
        model_->setRows({});
        showMoment();
    }

    void showSelection(const Selection& selection) override { table_->showSelection(selection); }

 private:
    const query::MemorySeries* current() const {
        const int at = device_->currentIndex();
        return at >= 0 && static_cast<size_t>(at) < series_.size() ? &series_[static_cast<size_t>(at)] : nullptr;
    }

    // Without a moment of the user's: the peak.
    qint64 moment() const { return moment_.value_or(current() ? current()->peak_ns : 0); }

    void ask() {
        const auto* series = current();
        if (!series) {
            model_->setRows({});
            showMoment();
            return;
        }
        plot_->setCurrent(device_->currentIndex(), static_cast<double>(moment() - session_.summary().zeroNs));
        session_.jobs().run(
            this, QStringLiteral("holders"),
            [device = series->device, time = moment()](JobContext& context) {
                return query::memory_holders(context.database(), device, time);
            },
            [this](std::vector<query::MemoryHolder> holders) {
                double all = 0;
                for (const auto& holder : holders) {
                    all += static_cast<double>(holder.bytes);
                }
                QVector<HolderRow> rows;
                for (auto& holder : holders) {
                    const double share = all > 0 ? static_cast<double>(holder.bytes) / all : 0;
                    const QString since =
                        holder.what == query::MemoryHolder::What::before
                            ? QString()
                            : durationText(static_cast<double>(holder.since_ns - session_.summary().zeroNs));
                    rows.push_back({std::move(holder), share, since});
                }
                live_ = all;
                model_->setRows(std::move(rows));
                table_->fitColumns(HolderModel::Name);
                table_->showSelection(session_.selection());
                showMoment();
            });
    }

    void showMoment() {
        device_->setVisible(series_.size() > 1);
        peak_->setVisible(!series_.empty());
        if (!current()) {
            words_->clear();
            return;
        }
        words_->setText(
            tr("%1 live at %2 · a click in the chart chooses the moment")
                .arg(bytesText(live_), durationText(static_cast<double>(moment() - session_.summary().zeroNs))));
    }

    QComboBox* device_;
    QPushButton* peak_;
    QLabel* words_;
    MemoryPlot* plot_;
    TableView* table_;
    HolderModel* model_;
    std::vector<query::MemorySeries> series_;
    std::optional<qint64> moment_;
    double live_ = 0;
};

}  // namespace

}  // namespace fusescope::gui

namespace fusescope {

gui::PanelDefinition panel_memory() {
    return {QStringLiteral("memory"),
            QT_TRANSLATE_NOOP("panel", "Memory"),
            QStringLiteral("memory"),
            gui::DockPlace::Bottom,
            6,
            QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_7),
            [](gui::Session& session) { return new gui::MemoryPanel(session); }};
}

}  // namespace fusescope

#include "memory.moc"
