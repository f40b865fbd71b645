#include "gui/timeline/timeline_lanes.hpp"

#include <QCoreApplication>
#include <algorithm>
#include <tuple>

#include "profiler/query/frames.hpp"
#include "profiler/query/graphs.hpp"

namespace fusescope::gui {

namespace {

TimelineRow rowOf(RowKind kind, SliceStore slices, Selection::Kind target) {
    TimelineRow row;
    row.kind = kind;
    row.slices = std::move(slices);
    row.target = target;
    return row;
}

TimelineLane counterLane(const QString& name, bool modelled, std::shared_ptr<const Counter> counter) {
    TimelineLane lane;
    lane.kind = LaneKind::Counter;
    lane.name = name;
    lane.modelled = modelled;
    TimelineRow row;
    row.kind = RowKind::Counter;
    row.target = Selection::Kind::None;
    row.counter = std::move(counter);
    lane.rows.push_back(std::move(row));
    return lane;
}

void addSteps(const TimelineReading& reading, TimelineLabels& labels, TimelineData& data) {
    if (reading.steps.size() < 2) {
        return;
    }
    SliceBuilder builder;
    for (auto it = reading.steps.begin(); it != reading.steps.end(); ++it) {
        const auto next = std::next(it);
        qint64 end = it->second.end;
        // On a device a step may still run while the next one is issued.
        if (next != reading.steps.end()) {
            end = std::clamp(end, it->second.begin, std::max(it->second.begin, next->second.begin));
        }
        builder.add(it->second.begin, end - it->second.begin, it->first,
                    labels.add(QCoreApplication::translate("timeline", "step %1").arg(it->first)));
    }
    TimelineLane lane;
    lane.kind = LaneKind::Steps;
    lane.name = QCoreApplication::translate("timeline", "Steps");
    lane.rows.push_back(rowOf(RowKind::Step, builder.take(), Selection::Kind::None));
    data.lanes.push_back(std::move(lane));
}

void addOps(const TimelineReading& reading, TimelineData& data) {
    const auto addLaunches = [&](TimelineLane& host) {
        TimelineRow row;
        row.kind = RowKind::Launch;
        for (const auto& ops : reading.ops) {
            if (ops.device != QStringLiteral("cpu") && ops.inOrder && ops.launchThreads == QVector<int>{host.thread}) {
                row.launched += ops.rows;
            }
        }
        if (!row.launched.isEmpty()) {
            host.rows.push_front(std::move(row));
        }
    };
    QVector<int> threads, shown;
    for (const auto& ops : reading.ops) {
        if (ops.device == QStringLiteral("cpu")) {
            shown.push_back(static_cast<int>(ops.number));
        }
        for (const int thread : ops.launchThreads) {
            if (!threads.contains(thread)) {
                threads.push_back(thread);
            }
        }
    }
    // A thread that only launches has no ops of its own.
    for (const int thread : std::as_const(threads)) {
        if (!shown.contains(thread)) {
            TimelineLane lane;
            lane.name = laneName(QStringLiteral("cpu"), thread);
            lane.thread = thread;
            addLaunches(lane);
            if (!lane.rows.isEmpty()) {
                data.lanes.push_back(std::move(lane));
            }
        }
    }
    for (const auto& ops : reading.ops) {
        TimelineLane lane;
        const bool host = ops.device == QStringLiteral("cpu");
        lane.kind = host ? LaneKind::Host : LaneKind::Device;
        lane.name = laneName(ops.device, ops.number);
        lane.modelled = ops.modelled;
        lane.thread = host ? static_cast<int>(ops.number) : -1;
        for (const auto& scopes : ops.scopes) {
            if (!scopes.isEmpty()) {
                lane.rows.push_back(rowOf(RowKind::Scope, scopes, Selection::Kind::Scope));
            }
        }
        for (const auto& row : ops.rows) {
            lane.rows.push_back(rowOf(RowKind::Op, row, Selection::Kind::OpEvent));
        }
        if (host && !ops.modelled) {
            addLaunches(lane);
        }
        data.lanes.push_back(std::move(lane));
        if (!host && ops.inOrder) {
            data.lanes.push_back(
                counterLane(QCoreApplication::translate("timeline", "Queue, %1").arg(laneName(ops.device, ops.number)),
                            ops.modelled, std::make_shared<QueueCounter>(ops.rows)));
        }
    }
}

void addTransfers(const TimelineReading& reading, TimelineData& data) {
    for (const auto& transfers : reading.transfers) {
        TimelineLane lane;
        lane.kind = LaneKind::Transfer;
        lane.name = QCoreApplication::translate("timeline", "Copies, stream %1").arg(transfers.number);
        lane.modelled = transfers.modelled;
        lane.rows.push_back(rowOf(RowKind::Transfer, transfers.slices, Selection::Kind::Transfer));
        data.lanes.push_back(std::move(lane));
        data.lanes.push_back(
            counterLane(QCoreApplication::translate("timeline", "Bandwidth, stream %1").arg(transfers.number),
                        transfers.modelled, std::make_shared<BandwidthCounter>(transfers.slices)));
    }
}

void addMemory(const TimelineReading& reading, TimelineData& data) {
    for (const auto& [device, counter] : reading.memory) {
        if (counter && counter->size() > 0) {
            data.lanes.push_back(counterLane(
                QCoreApplication::translate("timeline", "Memory, %1").arg(deviceName(device)), false, counter));
        }
    }
}

void addCompilations(Database& database, TimelineLabels& labels, TimelineData& data) {
    SliceBuilder compilations, passes;
    for (const auto& graph : query::graphs(database)) {
        const QString name = QString::fromStdString(graph.name);
        compilations.add(graph.compile_start_ns, std::max<qint64>(0, graph.compile_ns), graph.id,
                         labels.add(QCoreApplication::translate("timeline", "compile %1").arg(name)));
        // Only how long each pass took is known: they are laid end to end, in their order.
        qint64 now = graph.compile_start_ns;
        const qint64 end = graph.compile_start_ns + std::max<qint64>(0, graph.compile_ns);
        for (const auto& stage : query::stages(database, graph.id)) {
            if (stage.duration_ns > 0 && now < end) {
                const qint64 length = std::min<qint64>(stage.duration_ns, end - now);
                passes.add(now, length, stage.id, labels.add(QString::fromStdString(stage.pass)));
                now += length;
            }
        }
    }
    if (compilations.size() == 0) {
        return;
    }
    TimelineLane lane;
    lane.kind = LaneKind::Compile;
    lane.name = QCoreApplication::translate("timeline", "Compilation");
    lane.rows.push_back(rowOf(RowKind::Compile, compilations.take(), Selection::Kind::Graph));
    if (passes.size() > 0) {
        lane.rows.push_back(rowOf(RowKind::Pass, passes.take(), Selection::Kind::Stage));
    }
    data.lanes.push_back(std::move(lane));
}

}  // namespace

void TimelineLabels::read(Database& database) {
    add(QStringLiteral("?"));
    for (const auto& kind : query::op_kinds(database)) {
        ofKind_.insert(kind.id, add(QString::fromStdString(kind.name)));
    }
    directions_[0] = add(QCoreApplication::translate("timeline", "copy to device"));
    directions_[1] = add(QCoreApplication::translate("timeline", "copy to host"));
    directions_[2] = add(QCoreApplication::translate("timeline", "copy on device"));
}

quint32 TimelineLabels::add(const QString& text) {
    const auto known = numbers_.constFind(text);
    if (known != numbers_.constEnd()) {
        return known.value();
    }
    const auto number = static_cast<quint32>(texts_.size());
    texts_.push_back(text);
    numbers_.insert(text, number);
    return number;
}

QString deviceName(const QString& device) {
    return device == QStringLiteral("cpu")            ? QStringLiteral("CPU")
           : device == QStringLiteral("ascend")       ? QStringLiteral("Ascend")
           : device == QStringLiteral("ascend-model") ? QCoreApplication::translate("timeline", "Ascend model")
                                                      : device;
}

QString laneName(const QString& device, qint64 number) {
    return (device == QStringLiteral("cpu") ? QCoreApplication::translate("timeline", "%1 thread %2")
                                            : QCoreApplication::translate("timeline", "%1 stream %2"))
        .arg(deviceName(device))
        .arg(number);
}

void assembleLanes(Database& database, TimelineReading& reading, TimelineData& data) {
    TimelineLabels& labels = reading.labels;
    addSteps(reading, labels, data);
    addOps(reading, data);
    addTransfers(reading, data);
    addMemory(reading, data);
    addCompilations(database, labels, data);
    data.labels = labels.texts();
    data.finish();
}

}  // namespace fusescope::gui
