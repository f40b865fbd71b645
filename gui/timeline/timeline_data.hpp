// What a timeline shows: lanes of rows of slices or curves. Made off the GUI thread, frozen once it is shown.
#pragma once

#include <QString>
#include <QVector>
#include <memory>
#include <vector>

#include "gui/app/selection.hpp"
#include "gui/timeline/counter.hpp"
#include "gui/timeline/slice_store.hpp"

namespace fusescope::gui {

enum class LaneKind { Steps, Host, Device, Transfer, Compile, Counter };
enum class RowKind { Step, Scope, Op, Launch, Transfer, Compile, Pass, Counter };

struct TimelineRow {
    RowKind kind = RowKind::Op;
    SliceStore slices;
    Selection::Kind target = Selection::Kind::OpEvent;  ///< what a slice's id means; None: nothing to select
    QVector<SliceStore> launched;                       ///< of a row of launches: the ops, whose links are drawn
    std::shared_ptr<const Counter> counter;
    std::vector<float> busy;  ///< of a sample, the share of each slice that ran; empty when the slices are all there
    int height() const;
};

struct TimelineLane {
    LaneKind kind = LaneKind::Host;
    QString name;
    bool modelled = false;
    int thread = -1;  ///< of a host lane its number
    QVector<TimelineRow> rows;
};

struct TimelineData {
    QVector<TimelineLane> lanes;
    QVector<QString> labels;
    qint64 zero = 0;       ///< time that the ruler calls 0
    qint64 first = 0;      ///< earliest begin
    qint64 last = 0;       ///< latest end
    bool sampled = false;  ///< only a sample has been read so far
    bool aligned = false;  ///< lanes are steps that all begin at 0: times are not those of the run
    QString remark;        ///< what the user should know about what is shown

    /// Fills first and last.
    void finish();
    /// Slices of single events: ops, transfers, compilations.
    qsizetype sliceCount() const;

    struct Place {
        int lane = -1;
        int row = -1;
        qsizetype slice = -1;
        bool isValid() const { return slice >= 0; }
    };
    /// Where the thing is drawn; rows of launches are passed over.
    Place find(Selection::Kind kind, qint64 id) const;
    const TimelineRow& rowAt(const Place& place) const { return lanes[place.lane].rows[place.row]; }
};

/// One piece to paint: [x0, x1) pixels of a row. A piece of many slices has the longest of them.
struct TimelinePiece {
    float x0 = 0, x1 = 0;
    qsizetype slice = -1;
    bool many = false;
    float fill = 1;  ///< share of the piece that is busy
};

/// What to paint of a row for [begin, begin + width * nsPerPixel): at most two pieces a pixel, however many slices.
void piecesOf(const TimelineRow& row, double begin, double nsPerPixel, int width, std::vector<TimelinePiece>& pieces);

/// Sums of a marked range, from the columns: quick also for millions.
struct RangeSum {
    QString lane;
    bool modelled = false;
    qint64 count = 0;
    qint64 busyNs = 0;
};
/// One a lane and kind of slices that begin in the range; lanes with none are left out.
QVector<RangeSum> sumsOf(const TimelineData& data, const TimeRange& range);

}  // namespace fusescope::gui
