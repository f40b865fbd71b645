// Level of detail by binary search: slices narrower than a pixel are taken a pixel at a time.
#include "gui/timeline/timeline_data.hpp"

#include <algorithm>

namespace fusescope::gui {

int TimelineRow::height() const {
    switch (kind) {
        case RowKind::Op:
        case RowKind::Transfer:
        case RowKind::Compile:
            return 24;
        case RowKind::Step:
            return 20;
        case RowKind::Scope:
        case RowKind::Pass:
            return 17;
        case RowKind::Launch:
            return 10;
        case RowKind::Counter:
            return 40;
    }
    return 24;
}

void TimelineData::finish() {
    bool any = false;
    for (const auto& lane : lanes) {
        for (const auto& row : lane.rows) {
            const SliceStore& s = row.slices;
            if (s.isEmpty()) {
                continue;
            }
            qint64 end = s.end(s.size() - 1);
            // Only the last few can reach further than the last one, save for the longest.
            for (qsizetype i = std::max<qsizetype>(0, s.size() - 64); i < s.size(); ++i) {
                end = std::max(end, s.end(i));
            }
            end = std::max(end, s.end(s.longest(0, s.size())));
            first = any ? std::min(first, s.begin(0)) : s.begin(0);
            last = any ? std::max(last, end) : end;
            any = true;
        }
    }
}

namespace {

bool singleEvents(RowKind kind) { return kind == RowKind::Op || kind == RowKind::Transfer || kind == RowKind::Compile; }

}  // namespace

qsizetype TimelineData::sliceCount() const {
    qsizetype count = 0;
    for (const auto& lane : lanes) {
        for (const auto& row : lane.rows) {
            count += singleEvents(row.kind) ? row.slices.size() : 0;
        }
    }
    return count;
}

TimelineData::Place TimelineData::find(Selection::Kind kind, qint64 id) const {
    for (int l = 0; kind != Selection::Kind::None && l < lanes.size(); ++l) {
        for (int r = 0; r < lanes[l].rows.size(); ++r) {
            const auto& row = lanes[l].rows[r];
            if (row.target == kind && row.kind != RowKind::Launch && row.busy.empty()) {
                if (const qsizetype slice = row.slices.find(id); slice >= 0) {
                    return {l, r, slice};
                }
            }
        }
    }
    return {};
}

void piecesOf(const TimelineRow& row, double begin, double nsPerPixel, int width, std::vector<TimelinePiece>& pieces) {
    pieces.clear();
    const SliceStore& slices = row.slices;
    const double end = begin + width * nsPerPixel;
    qsizetype i = slices.firstFrom(static_cast<qint64>(begin));
    if (i > 0 && static_cast<double>(slices.end(i - 1)) > begin) {
        --i;
    }
    while (i < slices.size() && static_cast<double>(slices.begin(i)) < end) {
        const double x0 = (static_cast<double>(slices.begin(i)) - begin) / nsPerPixel;
        const double x1 = (static_cast<double>(slices.end(i)) - begin) / nsPerPixel;
        if (x1 - x0 >= 1) {
            const bool sample = !row.busy.empty();
            pieces.push_back({static_cast<float>(x0), static_cast<float>(x1), i, sample,
                              sample ? std::max(0.25f, row.busy[static_cast<size_t>(i)]) : 1});
            ++i;
            continue;
        }
        // All slices that begin in this pixel are one piece; the next is found without looking at them.
        const double pixel = static_cast<double>(static_cast<qint64>(x0 < 0 ? x0 - 1 : x0));
        const qint64 boundary = static_cast<qint64>(begin + (pixel + 1) * nsPerPixel) + 1;
        const qsizetype next = std::max(i + 1, slices.nextFrom(i, boundary));
        const qsizetype longest = slices.longest(i, next);
        // A slice that began here may last longer than the pixel: then it is drawn for itself.
        const double longestEnd = (static_cast<double>(slices.end(longest)) - begin) / nsPerPixel;
        if (longest > i && longestEnd - (static_cast<double>(slices.begin(longest)) - begin) / nsPerPixel >= 1) {
            pieces.push_back({static_cast<float>(pixel), static_cast<float>(pixel + 1), i, longest - i > 1, 1});
            i = longest;
            continue;
        }
        const double filled = static_cast<double>(slices.busyBefore(next) - slices.busyBefore(i)) / nsPerPixel;
        pieces.push_back({static_cast<float>(pixel), static_cast<float>(pixel + 1), longest, next - i > 1,
                          static_cast<float>(std::clamp(filled, 0.25, 1.0))});
        i = next;
    }
}

QVector<RangeSum> sumsOf(const TimelineData& data, const TimeRange& range) {
    QVector<RangeSum> sums;
    for (const auto& lane : data.lanes) {
        RangeSum sum{lane.name, lane.modelled, 0, 0};
        for (const auto& row : lane.rows) {
            if (!singleEvents(row.kind) || !row.busy.empty()) {
                continue;
            }
            const qsizetype first = row.slices.firstFrom(range.begin);
            const qsizetype last = row.slices.firstFrom(range.end);
            sum.count += last - first;
            sum.busyNs += row.slices.busyBefore(last) - row.slices.busyBefore(first);
        }
        if (sum.count > 0) {
            sums.push_back(sum);
        }
    }
    return sums;
}

}  // namespace fusescope::gui
