// Panel: the elements of one tensor: of the op that is selected, or of a variable of a stopped program.
#include <QComboBox>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QMenu>
#include <QSaveFile>
#include <QSpinBox>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/app/panel.hpp"
#include "gui/app/session.hpp"
#include "gui/debug/debug_session.hpp"
#include "gui/tensor/compare_page.hpp"
#include "gui/tensor/health_page.hpp"
#include "gui/tensor/heat_page.hpp"
#include "gui/tensor/image_page.hpp"
#include "gui/tensor/summary_page.hpp"
#include "gui/tensor/table_page.hpp"
#include "gui/widgets/format.hpp"
#include "gui/widgets/sparkline.hpp"
#include "profiler/query/tensor_places.hpp"
#include "profiler/tensors/file_formats.hpp"

namespace fusescope::gui {

namespace {

QString str(const std::string& text) { return QString::fromStdString(text); }

class TensorPanel : public Panel {
    Q_OBJECT

 public:
    explicit TensorPanel(Session& session)
        : Panel(session),
          choice_(new QComboBox),
          spark_(new Sparkline(tr("History of the tensor"))),
          run_(new QSpinBox),
          pin_(new QToolButton),
          export_(new QToolButton),
          tabs_(new QTabWidget),
          summary_(new SummaryPage(session.jobs())),
          compare_(new ComparePage(session.jobs())) {
        auto* column = new QVBoxLayout(this);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        auto* bar = new QHBoxLayout;
        bar->setContentsMargins(6, 4, 6, 4);
        choice_->setObjectName(QStringLiteral("tensorChoice"));
        choice_->setAccessibleName(tr("Tensor"));
        choice_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        choice_->setMinimumContentsLength(16);
        bar->addWidget(choice_, 1);
        bar->addWidget(spark_);
        run_->setObjectName(QStringLiteral("tensorRun"));
        run_->setAccessibleName(tr("Which run of the op"));
        run_->setToolTip(tr("Which run of the op that makes this tensor"));
        run_->setPrefix(tr("run "));
        run_->setKeyboardTracking(false);
        bar->addWidget(run_);
        pin_->setText(tr("Pin to Compare"));
        pin_->setObjectName(QStringLiteral("tensorPin"));
        pin_->setToolTip(tr("Keeps this tensor: the next one that you choose is compared with it"));
        export_->setText(tr("Export"));
        export_->setObjectName(QStringLiteral("tensorExport"));
        export_->setPopupMode(QToolButton::InstantPopup);
        auto* menu = new QMenu(export_);
        menu->addAction(tr("NumPy File (.npy)…"), this, [this] { askFile(false); });
        menu->addAction(tr("Text (.csv)…"), this, [this] { askFile(true); });
        export_->setMenu(menu);
        for (auto* button : {pin_, export_}) {
            button->setAutoRaise(true);
            button->setAccessibleName(button->text());
            bar->addWidget(button);
        }
        column->addLayout(bar);
        tabs_->setObjectName(QStringLiteral("tensorTabs"));
        tabs_->setDocumentMode(true);
        tabs_->addTab(summary_, tr("Summary"));
        auto* heat = new HeatPage(session.jobs());
        table_ = new TablePage(session.jobs());
        auto* image = new ImagePage(session.jobs());
        pages_ = {heat, table_, new HealthPage(session.jobs()), image, compare_};
        const QString titles[] = {tr("Heat Map"), tr("Table"), tr("NaN and Inf"), tr("Image"), tr("Compare")};
        for (int i = 0; i < pages_.size(); ++i) {
            tabs_->addTab(pages_[i], titles[i]);
            connect(pages_[i], &TensorPage::elementChosen, this, &TensorPanel::setElement);
        }
        column->addWidget(tabs_, 1);
        connect(summary_, &SummaryPage::elementChosen, this, [this](qint64 flat) {
            tabs_->setCurrentWidget(table_);
            setElement(flat);
        });
        connect(summary_, &SummaryPage::runChosen, this, [this](int point) { run_->setValue(point + 1); });
        connect(choice_, &QComboBox::activated, this, [this](int index) { choosePlace(index); });
        connect(run_, &QSpinBox::valueChanged, this, [this](int run) { showRun(run - 1); });
        connect(pin_, &QToolButton::clicked, this, &TensorPanel::pin);
        connect(&session.debug(), &DebugSession::tensorArrived, this, &TensorPanel::showVariable);
        showNothing();
    }

    void takeOver(Panel& old) override {
        const auto& other = static_cast<const TensorPanel&>(old);
        compare_->setPinned(other.compare_->pinned(), other.compare_->pinnedName());
        if (other.fromDebugger_) {
            fromDebugger_ = true;
            showArray(other.array_, other.name_, {}, {});
        }
    }

 protected:
    void reload() override {
        if (event_ != 0) {
            askPlaces(event_);
        }
    }

    void clear() override {
        compare_->setPinned({}, {});
        showNothing();
    }

    void showRelated(const Related& related) override {
        if (related.firstEvent != 0 && related.firstEvent != event_) {
            fromDebugger_ = false;
            askPlaces(related.firstEvent);
        } else if (related.firstEvent == 0 && !fromDebugger_) {
            showNothing();
        }
    }

 private:
    void askPlaces(qint64 event) {
        struct Answer {
            std::vector<query::TensorPlace> places;
            query::WatchLevel watch;
        };
        session_.jobs().run(
            this, QStringLiteral("places"),
            [event](JobContext& context) {
                return Answer{query::tensor_places(context.database(), event), query::watch_level(context.database())};
            },
            [this, event](Answer answer) {
                if (fromDebugger_) {
                    return;
                }
                const bool same = event == event_ && !places_.empty();
                const auto before = same ? choice_->currentIndex() : -1;
                event_ = event;
                places_ = std::move(answer.places);
                watch_ = std::move(answer.watch);
                fillChoice();
                choosePlace(before >= 0 && before < choice_->count() ? before : 0);
            });
    }

    void fillChoice() {
        choice_->clear();
        for (const auto& place : places_) {
            const QString what = place.input ? tr("input %1: %2") : tr("output %1: %2");
            choice_->addItem(what.arg(place.number).arg(str(place.name)) + QStringLiteral("  ") +
                             str(place.dtype + " " + place.shape));
        }
    }

    void choosePlace(int index) {
        if (index < 0 || index >= static_cast<int>(places_.size())) {
            return showNothing();
        }
        choice_->setCurrentIndex(index);
        const query::TensorPlace& place = places_[static_cast<std::size_t>(index)];
        if (place.op_event_id == 0 || !place.info) {
            setHistory({}, 0);
            return showArray({}, nameOf(place), place.info, whyMissing(place, place.info));
        }
        session_.jobs().run(
            this, QStringLiteral("history"),
            [event = place.op_event_id, output = place.output](JobContext& context) {
                return query::tensor_history(context.database(), event, output);
            },
            [this, index](std::vector<query::TensorPoint> points) {
                if (choice_->currentIndex() != index || index >= static_cast<int>(places_.size())) {
                    return;
                }
                const qint64 event = places_[static_cast<std::size_t>(index)].op_event_id;
                const auto at = std::find_if(points.begin(), points.end(),
                                             [event](const auto& p) { return p.info.op_event_id == event; });
                const int current = at == points.end() ? 0 : static_cast<int>(at - points.begin());
                setHistory(std::move(points), current);
                showRun(current);
            });
    }

    void setHistory(std::vector<query::TensorPoint> points, int current) {
        history_ = std::move(points);
        QVector<HistoryPlot::Point> shown;
        for (const auto& p : history_) {
            const auto& i = p.info;
            shown.push_back({p.step, i.min && i.max && i.mean, i.min.value_or(0), i.mean.value_or(0), i.max.value_or(0),
                             i.nan + i.inf});
        }
        const QSignalBlocker blocker(run_);
        run_->setRange(1, std::max(1, static_cast<int>(history_.size())));
        run_->setSuffix(tr(" of %1").arg(history_.size()));
        run_->setValue(current + 1);
        run_->setVisible(history_.size() > 1);
        summary_->setHistory(shown, current);
        showSpark(current);
    }

    void showSpark(int current) {
        QVector<Sparkline::Point> points;
        int at = -1;
        for (int i = 0; i < static_cast<int>(history_.size()); ++i) {
            const auto& p = history_[static_cast<std::size_t>(i)].info;
            if (p.min && p.max && p.mean) {
                at = i == current ? static_cast<int>(points.size()) : at;
                points.push_back({*p.min, *p.mean, *p.max, !p.healthy()});
            }
        }
        spark_->setVisible(points.size() > 1);
        spark_->setPoints(std::move(points), at);
    }

    void showRun(int run) {
        const int index = choice_->currentIndex();
        if (run < 0 || run >= static_cast<int>(history_.size()) || index < 0 || fromDebugger_) {
            return;
        }
        const query::TensorPoint point = history_[static_cast<std::size_t>(run)];
        const query::TensorPlace place = places_[static_cast<std::size_t>(index)];
        const QString name = nameOf(place) + tr(", step %1").arg(point.step);
        showSpark(run);
        summary_->setCurrentRun(run);
        if (point.info.value_bytes == 0) {
            tensor_ = 0;
            return showArray({}, name, point.info, whyMissing(place, point.info));
        }
        if (tensor_ == point.info.id && array_) {
            return;  // the profile has grown, and this tensor is what it was
        }
        session_.jobs().run(
            this, QStringLiteral("value"),
            [info = point.info](JobContext& context) -> tensors::Array {
                const auto dtype = dtype_from_name(info.dtype);
                const auto shape = tensors::parse_shape(info.shape);
                if (!dtype || !shape) {
                    return {};
                }
                return tensors::make_array(*dtype, *shape, query::tensor_value(context.database(), info.id))
                    .value_or(tensors::Array{});
            },
            [this, name, info = point.info](tensors::Array array) {
                tensor_ = info.id;
                const QString damaged = array ? QString() : tr("The recorded bytes do not fit this type and shape.");
                showArray(std::move(array), name, info, damaged);
                if (info.first_bad_index) {
                    setElement(*info.first_bad_index);
                }
            });
    }

    void showVariable(const QString& path, const QString& name, const QString& type, const QString& shapeText) {
        const auto dtype = dtype_from_name(type.toStdString());
        const auto shape = tensors::parse_shape(shapeText.toStdString());
        session_.jobs().run(
            this, QStringLiteral("value"),
            [path, dtype, shape](JobContext&) -> tensors::Array {
                QFile file(path);
                std::vector<std::byte> bytes;
                if (file.open(QIODevice::ReadOnly)) {
                    bytes.resize(static_cast<std::size_t>(file.size()));
                    const qint64 got = file.read(reinterpret_cast<char*>(bytes.data()), file.size());
                    bytes.resize(static_cast<std::size_t>(std::max<qint64>(got, 0)));
                }
                file.remove();
                return dtype && shape ? tensors::make_array(*dtype, *shape, std::move(bytes)).value_or(tensors::Array{})
                                      : tensors::Array{};
            },
            [this, name, type, shapeText](tensors::Array array) {
                fromDebugger_ = true;
                event_ = 0;
                tensor_ = 0;
                places_.clear();
                choice_->clear();
                choice_->addItem(name + QStringLiteral("  ") + type + QStringLiteral(" ") + shapeText);
                setHistory({}, 0);
                const QString why = array ? QString() : tr("The value of %1 could not be read.").arg(name);
                showArray(std::move(array), name, {}, why);
            });
        emit session_.panelAsked(QStringLiteral("tensor"));
    }

    void showNothing() {
        event_ = tensor_ = 0;
        fromDebugger_ = false;
        places_.clear();
        choice_->clear();
        setHistory({}, 0);
        showArray(
            {}, {}, {},
            tr("Choose an op, a node, a finding or a line: the tensors that it made and read are shown here. While a "
               "program stands still, “Show as Tensor” in the menu of a variable shows that."));
    }

    void showArray(tensors::Array array, const QString& name, const std::optional<query::TensorInfo>& info,
                   const QString& missing) {
        array_ = std::move(array);
        name_ = name;
        compare_->setName(name);
        summary_->setTensor(array_, info, missing);
        for (auto* page : std::as_const(pages_)) {
            page->setTensor(array_, missing);
        }
        pin_->setEnabled(static_cast<bool>(array_));
        export_->setEnabled(static_cast<bool>(array_));
    }

    void setElement(qint64 flat) {
        for (auto* page : std::as_const(pages_)) {
            page->setElement(flat);
        }
    }

    static QString nameOf(const query::TensorPlace& place) {
        return place.input ? str(place.name) : tr("%1, output %2").arg(str(place.name)).arg(place.number);
    }

    QString whyMissing(const query::TensorPlace& place, const std::optional<query::TensorInfo>& info) const {
        const QString how = tr("To have the elements: choose “values” as what is watched and record again, or run\n\n"
                               "fusescope --record run.fscope --watch values %1")
                                .arg(QFileInfo(session_.summary().script).fileName());
        if (place.op_event_id == 0) {
            return tr(
                "No op that was recorded made this value: it is a Parameter or an argument of the graph. While a "
                "program stands still, “Show as Tensor” in the menu of a variable shows its elements.");
        }
        if (watch_.watch == "values") {
            return info ? tr("There was no room left for the elements of this tensor. More are kept with a larger "
                             "budget:\n\n"
                             "fusescope --record run.fscope --watch values --values-budget 2G %1")
                              .arg(QFileInfo(session_.summary().script).fileName())
                        : tr("Nothing was recorded of this tensor.");
        }
        if (watch_.watch == "stats") {
            return tr("The run was recorded with its statistics, without elements.") + QStringLiteral("\n") + how;
        }
        if (watch_.watch == "off") {
            return tr("The run was recorded without looking at tensors.") + QStringLiteral("\n") + how;
        }
        return (info ? tr("Of this run only NaN and Inf were counted.") : tr("Nothing was recorded of this tensor.")) +
               QStringLiteral("\n") + how;
    }

    void pin() {
        compare_->setPinned(array_, name_);
        emit session_.note(tr("%1 is pinned; choose another tensor, or another run, to compare.").arg(name_));
        tabs_->setCurrentWidget(compare_);
    }

    void askFile(bool csv) {
        auto* dialog = new QFileDialog(this, csv ? tr("Export as Text") : tr("Export as NumPy File"));
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setAcceptMode(QFileDialog::AcceptSave);
        dialog->setDefaultSuffix(csv ? QStringLiteral("csv") : QStringLiteral("npy"));
        dialog->setNameFilter(csv ? tr("Text (*.csv)") : tr("NumPy files (*.npy)"));
        connect(dialog, &QFileDialog::fileSelected, this, [this, csv](const QString& path) { write(path, csv); });
        dialog->open();
    }

    void write(const QString& path, bool csv) {
        emit session_.note(tr("Writing %1…").arg(path));
        session_.jobs().run(
            this, QStringLiteral("export"),
            [array = array_, path, csv](JobContext& context) -> QString {
                QSaveFile file(path);
                if (!file.open(QIODevice::WriteOnly)) {
                    return file.errorString();
                }
                const tensors::Sink sink = [&file](std::span<const std::byte> bytes) {
                    const auto size = static_cast<qint64>(bytes.size());
                    return file.write(reinterpret_cast<const char*>(bytes.data()), size) == size;
                };
                const tensors::Stale stale = [&context] { return context.stale(); };
                const bool whole =
                    csv ? tensors::write_csv(array, sink, stale) : tensors::write_npy(array, sink, stale);
                return whole && file.commit() ? QString() : file.errorString();
            },
            [this, path](const QString& error) {
                emit session_.note(error.isEmpty() ? tr("Wrote %1.").arg(path)
                                                   : tr("%1 could not be written: %2").arg(path, error));
            });
    }

    QComboBox* choice_;
    Sparkline* spark_;
    QSpinBox* run_;
    QToolButton* pin_;
    QToolButton* export_;
    QTabWidget* tabs_;
    SummaryPage* summary_;
    ComparePage* compare_;
    TensorPage* table_ = nullptr;
    QVector<TensorPage*> pages_;
    std::vector<query::TensorPlace> places_;
    std::vector<query::TensorPoint> history_;
    query::WatchLevel watch_;
    tensors::Array array_;
    QString name_;
    qint64 event_ = 0;
    qint64 tensor_ = 0;  // row of the elements on show
    bool fromDebugger_ = false;
};

}  // namespace

}  // namespace fusescope::gui

namespace fusescope {

gui::PanelDefinition panel_tensor() {
    return {QStringLiteral("tensor"),
            QT_TRANSLATE_NOOP("panel", "Tensor"),
            QStringLiteral("tensor"),
            gui::DockPlace::Center,
            3,
            QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_T),
            [](gui::Session& session) { return new gui::TensorPanel(session); }};
}

}  // namespace fusescope

#include "tensor.moc"
