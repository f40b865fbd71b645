// Panel: what happened when, on which thread, stream or copy engine.
#include "profiler/query/timeline.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/app/panel.hpp"
#include "gui/app/session.hpp"
#include "gui/widgets/format.hpp"
#include "gui/widgets/icon_button.hpp"
#include "gui/widgets/timeline_view.hpp"
#include "profiler/query/frames.hpp"
#include "profiler/query/graphs.hpp"
#include "profiler/query/timeline_columns.hpp"

namespace fusescope::gui {

namespace {

QString nameOf(const query::Track& track) {
    const bool modelled = track.clock == Clock::modelled;
    if (track.transfers) {
        return (modelled ? QObject::tr("Copies, stream %1 (modelled)") : QObject::tr("Copies, stream %1"))
            .arg(track.number);
    }
    if (track.device == "cpu") {
        return (modelled ? QObject::tr("CPU thread %1 (modelled)") : QObject::tr("CPU thread %1")).arg(track.number);
    }
    const QString device = track.device == "ascend"         ? QStringLiteral("Ascend")
                           : track.device == "ascend-model" ? QObject::tr("Ascend model")
                                                            : QString::fromStdString(track.device);
    return (modelled ? QObject::tr("%1 stream %2 (modelled)") : QObject::tr("%1 stream %2"))
        .arg(device)
        .arg(track.number);
}

TimelineTrack makeTrack(const query::Track& track) {
    TimelineTrack made;
    made.name = nameOf(track);
    made.modelled = track.clock == Clock::modelled;
    made.slices = track.transfers ? Selection::Kind::Transfer : Selection::Kind::OpEvent;
    made.kind = track.transfers ? TrackKind::Transfer : track.device == "cpu" ? TrackKind::Host : TrackKind::Device;
    return made;
}

std::shared_ptr<TimelineData> readTimeline(JobContext& context, qint64 zero) {
    Database& database = context.database();
    auto data = std::make_shared<TimelineData>();
    data->zero = zero;
    QHash<qint64, quint32> labelOfKind;
    for (const auto& kind : query::op_kinds(database)) {
        labelOfKind.insert(kind.id, static_cast<quint32>(data->labels.size()));
        data->labels.push_back(QString::fromStdString(kind.name));
    }
    const auto labelOf = [&data](const QString& text) {
        data->labels.push_back(text);
        return static_cast<quint32>(data->labels.size() - 1);
    };
    const quint32 unknown = labelOf(QStringLiteral("?"));
    const quint32 copies[] = {labelOf(QObject::tr("copy to device")), labelOf(QObject::tr("copy to host")),
                              labelOf(QObject::tr("copy on device"))};

    TimelineTrack compile;
    compile.kind = TrackKind::Compile;
    compile.name = QObject::tr("Compilation");
    compile.slices = Selection::Kind::Graph;
    for (const auto& graph : query::graphs(database)) {
        compile.add(graph.compile_start_ns, graph.compile_ns, graph.id,
                    labelOf(QObject::tr("compile %1").arg(QString::fromStdString(graph.name))));
    }
    for (auto& columns : query::slice_columns(database)) {
        TimelineTrack track = makeTrack(columns.track);
        track.begin = std::move(columns.start_ns);
        track.duration = std::move(columns.duration_ns);
        track.id = std::move(columns.id);
        track.label.reserve(columns.kind_id.size());
        for (const auto kind : columns.kind_id) {
            // Of a transfer it is the direction: 0 to the device, 1 to the host, 2 on the device.
            track.label.push_back(columns.track.transfers ? copies[std::clamp<std::int64_t>(kind, 0, 2)]
                                                          : labelOfKind.value(kind, unknown));
        }
        data->tracks.push_back(std::move(track));
    }
    if (compile.size() > 0) {
        data->tracks.push_back(std::move(compile));
    }
    data->finish();
    return data;
}

class TimelinePanel : public Panel {
    Q_OBJECT

 public:
    explicit TimelinePanel(Session& session) : Panel(session), view_(new TimelineView), sums_(new QLabel) {
        auto* column = new QVBoxLayout(this);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        auto* bar = new QHBoxLayout;
        bar->setContentsMargins(6, 2, 6, 2);
        sums_->setForegroundRole(QPalette::PlaceholderText);
        sums_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        bar->addWidget(sums_, 1);
        const auto button = [&](const QString& name, const QString& tip, auto action) {
            auto* made = new IconButton(name, tip);
            connect(made, &QToolButton::clicked, this, action);
            bar->addWidget(made);
        };
        button(QStringLiteral("zoom_out"), tr("Zoom out (S)"), [this] { view_->zoom(1 / 1.6, view_->width() / 2.0); });
        button(QStringLiteral("zoom_in"), tr("Zoom in (W)"), [this] { view_->zoom(1.6, view_->width() / 2.0); });
        button(QStringLiteral("fit"), tr("Show the whole run (F)"), [this] { view_->fit(); });
        column->addLayout(bar);
        column->addWidget(view_, 1);
        view_->setObjectName("timelineView");
        showSums();
        connect(view_, &TimelineView::sliceClicked, this, [this](Selection::Kind kind, qint64 id) {
            clicked_ = true;
            Selection selection;
            selection.kind = kind;
            selection.id = id;
            session_.select(selection);
        });
        connect(view_, &TimelineView::backgroundClicked, this, [this] { session_.select({}); });
        connect(view_, &TimelineView::rangeMarked, this, &TimelinePanel::showSums);
    }

 protected:
    void reload() override {
        session_.jobs().run(
            this, QStringLiteral("timeline"),
            [zero = session_.summary().zeroNs](JobContext& context) { return readTimeline(context, zero); },
            [this](std::shared_ptr<TimelineData> data) {
                const bool first = view_->data() == nullptr;
                view_->setData(std::move(data));
                showSums();
                if (first) {
                    showSelection(session_.selection());
                    showRelated(session_.related());
                }
            });
    }

    void clear() override {
        view_->clear();
        showSums();
    }

    void showSelection(const Selection& selection) override {
        view_->setSelected(selection);
        if (selection.isNone()) {
            view_->setRelated({}, {});
        }
        if (!std::exchange(clicked_, false) &&
            (selection.kind == Selection::Kind::OpEvent || selection.kind == Selection::Kind::Transfer)) {
            view_->reveal(selection.kind, selection.id);
        }
    }

    void showRelated(const Related& related) override { view_->setRelated(related.events, related.transfers); }

 private:
    // With a marked range: what ran in it. Without: how to move.
    void showSums() {
        const auto range = view_->markedRange();
        if (!view_->data() || !range) {
            sums_->setText(tr("W S zoom · A D pan · F fit · Shift + drag marks a range"));
            return;
        }
        QStringList parts;
        for (const auto& track : view_->data()->tracks) {
            const qsizetype first = track.firstFrom(range->begin);
            const qsizetype last = track.firstFrom(range->end);
            if (last > first) {
                const qint64 busy = track.busy[last] - track.busy[first];
                parts << tr("%1: %2 in %3, %4 busy")
                             .arg(track.name, integerText(last - first), durationText(static_cast<double>(busy)),
                                  percentText(static_cast<double>(busy) /
                                              static_cast<double>(range->end - range->begin)));
            }
        }
        sums_->setText(parts.isEmpty() ? tr("Nothing begins in the marked range.")
                                       : parts.join(QStringLiteral("   ·   ")));
    }

    TimelineView* view_;
    QLabel* sums_;
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
