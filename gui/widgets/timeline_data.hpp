// Slices of all tracks in columns, made so that one frame costs the width of the window and not the number of events.
#pragma once

#include <QHash>
#include <QString>
#include <QVector>
#include <cstdint>
#include <memory>
#include <vector>

#include "gui/app/selection.hpp"

namespace fusescope::gui {

enum class TrackKind { Host, Device, Transfer, Compile };

struct TimelineTrack {
    TrackKind kind = TrackKind::Host;
    QString name;
    bool modelled = false;
    Selection::Kind slices = Selection::Kind::OpEvent;  ///< what a slice's id means

    // Columns, ordered by begin.
    std::vector<std::int64_t> begin;
    std::vector<std::int64_t> duration;
    std::vector<std::int64_t> id;
    std::vector<quint32> label;      ///< position in TimelineData::labels
    std::vector<std::int64_t> busy;  ///< busy[i]: sum of durations before i; one longer than the others
    std::vector<qsizetype> byId;     ///< positions ordered by id; empty when the ids grow with time anyway

    qsizetype size() const { return static_cast<qsizetype>(begin.size()); }
    std::int64_t end(qsizetype i) const { return begin[i] + duration[i]; }
    void add(qint64 start, qint64 length, qint64 row, quint32 text) {
        begin.push_back(start);
        duration.push_back(length);
        id.push_back(row);
        label.push_back(text);
    }
    /// Sorts if it is not sorted, and fills busy.
    void finish();
    /// First slice that begins at or after the time.
    qsizetype firstFrom(qint64 time) const;
    /// Slice that covers the time; else the nearest one within `slack`; -1 when there is none.
    qsizetype at(qint64 time, qint64 slack) const;
    /// Position of the slice with that row id, -1 when it is not here.
    qsizetype find(qint64 row) const;
};

struct TimelineData {
    QVector<TimelineTrack> tracks;
    QVector<QString> labels;
    qint64 zero = 0;   ///< time that the ruler calls 0
    qint64 first = 0;  ///< earliest begin
    qint64 last = 0;   ///< latest end

    void finish();
    qsizetype sliceCount() const;
};

/// One piece to paint: [x0, x1) pixels of a track. A piece of one slice has its position, one of many has -1.
struct TimelinePiece {
    float x0 = 0, x1 = 0;
    qsizetype slice = -1;  ///< the slice, or the longest of the ones looked at
    bool many = false;
    float fill = 1;  ///< share of the piece that is busy
};

/// What to paint of a track for [begin, begin + width * nsPerPixel): at most two pieces a pixel, however many slices.
void piecesOf(const TimelineTrack& track, double begin, double nsPerPixel, int width,
              std::vector<TimelinePiece>& pieces);

}  // namespace fusescope::gui
