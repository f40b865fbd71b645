// Ops are packed into as few rows as hold them without overlap; scopes are spans of neighbouring ops of the same Cell.
#include "gui/timeline/timeline_reader.hpp"

#include <QCoreApplication>
#include <QHash>
#include <QStringList>
#include <algorithm>
#include <tuple>
#include <utility>

#include "gui/app/jobs.hpp"
#include "gui/timeline/timeline_lanes.hpp"
#include "profiler/query/frames.hpp"
#include "profiler/query/timeline_slices.hpp"

namespace fusescope::gui {

namespace {

constexpr int kRows = 6;
constexpr int kScopeLevels = 6;
constexpr qint64 kMostScopeSlices = 2'000'000;  // what does not fit is left out, and the lane says so
constexpr int kSampleBlocks = 2500;
constexpr int kSampleRows = 48;
constexpr qint64 kCountBetweenLooks = 1 << 14;

// The scopes that contain a scope, the outermost first, and itself.
struct ScopePath {
    QVector<qint64> keys;  // the same for the same prefix of the path
};

class ScopeTable {
 public:
    ScopeTable(Database& database, TimelineLabels& labels, QHash<QString, qint64>& keys) {
        QHash<QString, qint64> known;
        for (const auto& scope : query::scopes(database)) {
            known.insert(QString::fromStdString(scope.path), scope.id);
        }
        for (auto it = known.cbegin(); it != known.cend(); ++it) {
            QStringList parts = it.key().split('/', Qt::SkipEmptyParts);
            QString prefix;
            ScopePath path;
            for (int i = 0; i < parts.size(); ++i) {
                prefix += (i > 0 ? QStringLiteral("/") : QString()) + parts[i];
                // Every path of MindSpore begins so; a row for it would say nothing.
                if (i == 0 && parts.size() > 1 && parts[0] == QStringLiteral("Default")) {
                    continue;
                }
                auto key = keys.find(prefix);
                if (key == keys.end()) {
                    key = keys.insert(prefix, keys.size());
                }
                of_.insert(key.value(), {labels.add(parts[i]), known.value(prefix, 0)});
                if (path.keys.size() < kScopeLevels) {
                    path.keys.push_back(key.value());
                }
            }
            paths_.insert(it.value(), path);
        }
    }

    const ScopePath& of(qint64 scope) const {
        static const ScopePath none;
        const auto it = paths_.constFind(scope);
        return it == paths_.constEnd() ? none : it.value();
    }
    quint32 label(qint64 key) const { return of_.value(key).first; }
    /// Of the table; 0 for a path that only contains others.
    qint64 row(qint64 key) const { return of_.value(key).second; }

 private:
    QHash<qint64, ScopePath> paths_;
    QHash<qint64, std::pair<quint32, qint64>> of_;
};

class OpLaneBuilder {
 public:
    explicit OpLaneBuilder(OpLaneState state) : state_(std::move(state)) {
        for (const auto& row : std::as_const(state_.rows)) {
            rows_.emplace_back(row);
        }
        for (const auto& row : std::as_const(state_.scopes)) {
            scopes_.emplace_back(row);
        }
        deviceName_ = state_.device.toStdString();
        onHost_ = deviceName_ == "cpu";
    }

    bool is(const query::OpSlice& op) const {
        return op.modelled == state_.modelled && op.device == deviceName_ &&
               (onHost_ ? op.thread : op.stream) == state_.number;
    }

    void add(const query::OpSlice& op, quint32 label, const ScopeTable& scopes, TimelineReading& reading) {
        const qint64 end = op.start_ns + op.duration_ns;
        size_t row = 0;
        while (row + 1 < kRows && row < rows_.size() && op.start_ns < state_.rowEnds[static_cast<qsizetype>(row)]) {
            ++row;
        }
        if (row == rows_.size()) {
            rows_.emplace_back(!onHost_);
            state_.rowEnds.push_back(INT64_MIN);
        }
        qint64& rowEnd = state_.rowEnds[static_cast<qsizetype>(row)];
        if (op.start_ns < lastStart_) {
            ++reading.disordered;
        }
        lastStart_ = op.start_ns;
        rowEnd = std::max(rowEnd, end);
        if (onHost_) {
            rows_[row].add(op.start_ns, op.duration_ns, op.id, label);
        } else {
            const auto thread = static_cast<int>(std::clamp<qint64>(op.thread, 0, 65535));
            rows_[row].add(op.start_ns, op.duration_ns, op.id, label, op.launch_ns, thread);
            if (!state_.launchThreads.contains(thread)) {
                state_.launchThreads.push_back(thread);
            }
            state_.inOrder = state_.inOrder && op.launch_ns >= state_.lastLaunch;
            state_.lastLaunch = std::max<qint64>(state_.lastLaunch, op.launch_ns);
        }
        const auto& keys = scopes.of(op.scope_id).keys;
        bool same = op.step == state_.openStep;
        state_.openStep = op.step;
        for (qsizetype level = 0; level < std::max(keys.size(), state_.openScopes.size()); ++level) {
            if (level >= keys.size()) {
                state_.openScopes[level] = -1;
                continue;
            }
            const qint64 key = keys[level];
            if (level >= state_.openScopes.size()) {
                state_.openScopes.push_back(-1);
                scopes_.emplace_back();
            }
            auto& store = scopes_[static_cast<size_t>(level)];
            same = same && state_.openScopes[level] == key;
            if (same && store.size() > 0) {
                store.extendLast(std::max(end, store.lastBegin()));
            } else if (reading.scopeSlices < kMostScopeSlices) {
                store.add(op.start_ns, op.duration_ns, scopes.row(key), scopes.label(key));
                ++reading.scopeSlices;
                state_.openScopes[level] = key;
            }
        }
    }

    OpLaneState take() {
        state_.rows.clear();
        state_.scopes.clear();
        for (auto& row : rows_) {
            state_.rows.push_back(row.take());
        }
        for (auto& row : scopes_) {
            state_.scopes.push_back(row.take());
        }
        return std::move(state_);
    }

 private:
    OpLaneState state_;
    std::vector<SliceBuilder> rows_, scopes_;
    std::string deviceName_;
    bool onHost_ = true;
    qint64 lastStart_ = INT64_MIN;
};

OpLaneState laneFor(const query::OpSlice& op) {
    OpLaneState state;
    state.device = QString::fromUtf8(op.device.data(), static_cast<qsizetype>(op.device.size()));
    state.number = op.device == "cpu" ? op.thread : op.stream;
    state.modelled = op.modelled;
    return state;
}

// Host first, and the order of numbers.
void sortLanes(QVector<OpLaneState>& lanes) {
    const auto key = [](const OpLaneState& lane) {
        return std::tuple(lane.device != QStringLiteral("cpu"), lane.device, lane.number, lane.modelled);
    };
    std::sort(lanes.begin(), lanes.end(),
              [&key](const OpLaneState& a, const OpLaneState& b) { return key(a) < key(b); });
}

class Reading {
 public:
    Reading(JobContext& context, const TimelineReading* before)
        : context_(context),
          database_(context.database()),
          reading_(before ? *before : TimelineReading()),
          scopes_(prepared()) {
        reading_.data.reset();
    }

    bool run() { return readOps(query::SliceOrder::id) && readTransfers() && readMemory(); }

    /// For files whose ids say nothing about time.
    bool runByTime() {
        reading_ = {};
        scopes_ = prepared();
        return readOps(query::SliceOrder::start) && readTransfers() && readMemory();
    }

    bool isDisordered() const { return reading_.disordered > 1000 && reading_.disordered > reading_.lastOp / 20; }

    std::shared_ptr<const TimelineReading> finish(qint64 zero) {
        auto data = std::make_shared<TimelineData>();
        data->zero = zero;
        assembleLanes(database_, reading_, *data);
        if (reading_.scopeSlices >= kMostScopeSlices) {
            data->remark = QCoreApplication::translate("timeline", "Too many changes of scope: some are left out.");
        }
        auto made = std::make_shared<TimelineReading>(std::move(reading_));
        made->data = std::move(data);
        return made;
    }

 private:
    ScopeTable prepared() {
        reading_.labels.read(database_);
        return ScopeTable(database_, reading_.labels, reading_.scopeKeys);
    }

    // Thrown through SQLite's loop; a query has no other way to be left early.
    struct Stale {};

    void look() {
        if (++seen_ % kCountBetweenLooks == 0 && context_.stale()) {
            throw Stale{};
        }
    }

    bool readOps(query::SliceOrder order) {
        std::vector<OpLaneBuilder> lanes;
        for (auto& lane : reading_.ops) {
            lanes.emplace_back(std::move(lane));
        }
        reading_.ops.clear();
        size_t at = 0;
        qint64 step = -1;
        StepExtent* extent = nullptr;
        try {
            query::for_each_op_slice(database_, reading_.lastOp, order, [&](const query::OpSlice& op) {
                look();
                // Neighbouring events are nearly always on the same track, and there are few tracks.
                if (at >= lanes.size() || !lanes[at].is(op)) {
                    at = 0;
                    while (at < lanes.size() && !lanes[at].is(op)) {
                        ++at;
                    }
                    if (at == lanes.size()) {
                        lanes.emplace_back(laneFor(op));
                    }
                }
                lanes[at].add(op, reading_.labels.ofKind(op.kind_id), scopes_, reading_);
                if (extent == nullptr || step != op.step) {
                    step = op.step;
                    extent = &reading_.steps.try_emplace(step, StepExtent{op.launch_ns, op.launch_ns}).first->second;
                }
                extent->begin = std::min<qint64>(extent->begin, op.launch_ns);
                extent->end = std::max<qint64>(extent->end, op.start_ns + op.duration_ns);
                lastSeen_ = std::max<qint64>(lastSeen_, op.id);
            });
        } catch (const Stale&) {
            return false;
        }
        reading_.lastOp = std::max(reading_.lastOp, lastSeen_);
        for (auto& lane : lanes) {
            reading_.ops.push_back(lane.take());
        }
        sortLanes(reading_.ops);
        return true;
    }

    bool readTransfers() {
        std::vector<SliceBuilder> builders;
        for (const auto& lane : std::as_const(reading_.transfers)) {
            builders.emplace_back(lane.slices);
        }
        query::for_each_transfer_slice(database_, reading_.lastTransfer, [&](const query::TransferSlice& t) {
            auto lane = std::find_if(reading_.transfers.begin(), reading_.transfers.end(), [&t](const auto& known) {
                return known.number == t.stream && known.modelled == t.modelled;
            });
            if (lane == reading_.transfers.end()) {
                reading_.transfers.push_back({t.stream, t.modelled, {}});
                lane = reading_.transfers.end() - 1;
                builders.emplace_back(true);
            }
            builders[static_cast<size_t>(lane - reading_.transfers.begin())].add(
                t.start_ns, t.duration_ns, t.id, reading_.labels.ofDirection(t.direction), t.op_event_id, t.bytes);
            reading_.lastTransfer = t.id;
        });
        for (qsizetype i = 0; i < reading_.transfers.size(); ++i) {
            reading_.transfers[i].slices = builders[static_cast<size_t>(i)].take();
        }
        return !context_.stale();
    }

    bool readMemory() {
        std::map<QString, std::shared_ptr<MemoryCounter>> changed;
        std::string device;
        MemoryCounter* counter = nullptr;
        query::for_each_memory_sample(database_, reading_.lastMemory, [&](const query::MemorySample& sample) {
            if (counter == nullptr || sample.device != device) {
                device = std::string(sample.device);
                auto& made = changed[QString::fromStdString(device)];
                if (!made) {
                    const auto& known = reading_.memory[QString::fromStdString(device)];
                    made = known ? std::make_shared<MemoryCounter>(*known) : std::make_shared<MemoryCounter>();
                }
                counter = made.get();
            }
            counter->add(sample.time_ns, sample.total_bytes);
            reading_.lastMemory = sample.id;
        });
        for (auto& [name, made] : changed) {
            reading_.memory[name] = std::move(made);
        }
        return !context_.stale();
    }

    JobContext& context_;
    Database& database_;
    TimelineReading reading_;
    ScopeTable scopes_;
    qint64 seen_ = 0;
    qint64 lastSeen_ = 0;
};

}  // namespace

std::shared_ptr<const TimelineReading> readTimeline(JobContext& context, qint64 zero,
                                                    std::shared_ptr<const TimelineReading> before) {
    Reading reading(context, before.get());
    if (!reading.run()) {
        return nullptr;
    }
    if (reading.isDisordered() && !reading.runByTime()) {
        return nullptr;
    }
    return reading.finish(zero);
}

std::shared_ptr<const TimelineData> sampleTimeline(Database& database, qint64 zero) {
    struct Block {
        qint64 begin = 0, end = 0, busy = 0, longest = -1;
        quint32 label = 0;
    };
    struct Lane {
        OpLaneState state;
        std::vector<Block> blocks;
        int last = -1;
    };
    auto data = std::make_shared<TimelineData>();
    data->zero = zero;
    TimelineReading reading;
    reading.labels.read(database);
    std::vector<Lane> lanes;
    query::sample_op_slices(database, kSampleBlocks, kSampleRows, [&](int block, const query::OpSlice& op) {
        auto lane = std::find_if(lanes.begin(), lanes.end(), [&op](const Lane& known) {
            return known.state.modelled == op.modelled && known.state.device.toStdString() == op.device &&
                   known.state.number == (op.device == "cpu" ? op.thread : op.stream);
        });
        if (lane == lanes.end()) {
            lanes.push_back({laneFor(op), {}, -1});
            lane = lanes.end() - 1;
        }
        if (lane->last != block) {
            lane->last = block;
            lane->blocks.push_back({op.start_ns, op.start_ns, 0, -1, 0});
        }
        Block& b = lane->blocks.back();
        b.begin = std::min<qint64>(b.begin, op.start_ns);
        b.end = std::max<qint64>(b.end, op.start_ns + op.duration_ns);
        b.busy += op.duration_ns;
        if (op.duration_ns > b.longest) {
            b.longest = op.duration_ns;
            b.label = reading.labels.ofKind(op.kind_id);
        }
    });
    std::sort(lanes.begin(), lanes.end(), [](const Lane& a, const Lane& b) {
        return std::tuple(a.state.device != QStringLiteral("cpu"), a.state.device, a.state.number, a.state.modelled) <
               std::tuple(b.state.device != QStringLiteral("cpu"), b.state.device, b.state.number, b.state.modelled);
    });
    std::vector<std::vector<float>> shares;
    for (auto& lane : lanes) {
        SliceBuilder row;
        auto& busy = shares.emplace_back();
        std::sort(lane.blocks.begin(), lane.blocks.end(),
                  [](const Block& a, const Block& b) { return a.begin < b.begin; });
        for (size_t i = 0; i < lane.blocks.size(); ++i) {
            const Block& b = lane.blocks[i];
            const qint64 until = i + 1 < lane.blocks.size() ? lane.blocks[i + 1].begin : b.end;
            row.add(b.begin, std::max<qint64>(1, until - b.begin), 0, b.label);
            busy.push_back(static_cast<float>(std::min(
                1.0, static_cast<double>(b.busy) / static_cast<double>(std::max<qint64>(1, b.end - b.begin)))));
        }
        lane.state.rows = {row.take()};
        lane.state.inOrder = false;  // no queue from a sample
        reading.ops.push_back(std::move(lane.state));
    }
    assembleLanes(database, reading, *data);
    size_t next = 0;
    for (auto& lane : data->lanes) {
        for (auto& row : lane.rows) {
            if (row.kind == RowKind::Op && next < shares.size()) {
                // The lanes keep the order of the reading's.
                row.busy = std::move(shares[next++]);
                row.target = Selection::Kind::None;
            }
        }
    }
    data->sampled = true;
    return data;
}

}  // namespace fusescope::gui
