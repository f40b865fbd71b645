// From the profile to the timeline's data, off the GUI thread. A reading can be continued when the file has grown.
#pragma once

#include <QHash>
#include <map>
#include <memory>

#include "gui/timeline/timeline_data.hpp"

namespace fusescope {
class Database;
}

namespace fusescope::gui {

class JobContext;

/// Texts of slices, told by number. A text keeps its number while a profile grows.
class TimelineLabels {
 public:
    /// Ops and directions of transfers; again when there may be more.
    void read(Database& database);
    quint32 add(const QString& text);
    quint32 ofKind(qint64 kind) const { return ofKind_.value(kind, 0); }
    quint32 ofDirection(qint64 direction) const {
        return directions_[direction == 0 || direction == 1 ? direction : 2];
    }
    const QVector<QString>& texts() const { return texts_; }

 private:
    QVector<QString> texts_;
    QHash<QString, quint32> numbers_;
    QHash<qint64, quint32> ofKind_;
    quint32 directions_[3] = {};
};

/// Ops of one thread or stream, so far.
struct OpLaneState {
    QString device;
    qint64 number = 0;  ///< thread of the CPU, stream of another device
    bool modelled = false;
    QVector<SliceStore> rows;  ///< ops that run at the same time lie in different rows
    QVector<qint64> rowEnds;
    QVector<SliceStore> scopes;  ///< one a level of nesting
    QVector<qint64> openScopes;  ///< per level the scope that the last op lay in; -1 when none
    qint64 openStep = -1;
    QVector<int> launchThreads;  ///< host threads that launched its ops
    bool inOrder = true;         ///< launches grew with time
    qint64 lastLaunch = INT64_MIN;
};

struct StepExtent {
    qint64 begin = 0, end = 0;
};

struct TransferLaneState {
    qint64 number = 0;
    bool modelled = false;
    SliceStore slices;
};

struct TimelineReading {
    std::shared_ptr<const TimelineData> data;
    TimelineLabels labels;
    QHash<QString, qint64> scopeKeys;  ///< a number for each path and each of its beginnings
    QVector<OpLaneState> ops;
    QVector<TransferLaneState> transfers;
    std::map<qint64, StepExtent> steps;
    std::map<QString, std::shared_ptr<const MemoryCounter>> memory;  ///< by device
    qint64 lastOp = 0, lastTransfer = 0, lastMemory = 0;
    qint64 disordered = 0;  ///< ops that began before the one with the id before, on the same thread or stream
    qint64 scopeSlices = 0;
};

/// Everything, or what was added since `before`. Null when the job went stale.
std::shared_ptr<const TimelineReading> readTimeline(JobContext& context, qint64 zero,
                                                    std::shared_ptr<const TimelineReading> before);

/// What the whole looks like, from a small part of the events: for the first moment after opening a large profile.
std::shared_ptr<const TimelineData> sampleTimeline(Database& database, qint64 zero);

}  // namespace fusescope::gui
