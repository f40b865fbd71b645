// Level of detail by binary search: slices narrower than a pixel are taken a pixel at a time.
#include "gui/widgets/timeline_data.hpp"

#include <algorithm>
#include <numeric>

namespace fusescope::gui {

void TimelineTrack::finish() {
    if (!std::is_sorted(begin.begin(), begin.end())) {
        std::vector<size_t> order(begin.size());
        std::iota(order.begin(), order.end(), size_t{0});
        std::stable_sort(order.begin(), order.end(), [this](size_t a, size_t b) { return begin[a] < begin[b]; });
        const auto permute = [&order](auto& column) {
            auto sorted = column;
            for (size_t i = 0; i < order.size(); ++i) {
                sorted[i] = column[order[i]];
            }
            column = std::move(sorted);
        };
        permute(begin);
        permute(duration);
        permute(id);
        permute(label);
    }
    byId.clear();
    if (!std::is_sorted(id.begin(), id.end())) {
        byId.resize(id.size());
        std::iota(byId.begin(), byId.end(), qsizetype{0});
        std::sort(byId.begin(), byId.end(), [this](qsizetype a, qsizetype b) { return id[a] < id[b]; });
    }
    busy.resize(begin.size() + 1);
    busy[0] = 0;
    for (size_t i = 0; i < begin.size(); ++i) {
        busy[i + 1] = busy[i] + duration[i];
    }
}

qsizetype TimelineTrack::firstFrom(qint64 time) const {
    return std::lower_bound(begin.begin(), begin.end(), time) - begin.begin();
}

qsizetype TimelineTrack::at(qint64 time, qint64 slack) const {
    const qsizetype after = std::upper_bound(begin.begin(), begin.end(), time) - begin.begin();
    if (after > 0 && end(after - 1) > time) {
        return after - 1;
    }
    qsizetype best = -1;
    qint64 distance = slack + 1;
    if (after > 0 && time - end(after - 1) < distance) {
        best = after - 1;
        distance = time - end(after - 1);
    }
    if (after < size() && begin[after] - time < distance) {
        best = after;
    }
    return best;
}

qsizetype TimelineTrack::find(qint64 row) const {
    const auto* const ids = id.data();
    if (byId.empty()) {
        const auto it = std::lower_bound(id.begin(), id.end(), row);
        return it != id.end() && *it == row ? it - id.begin() : -1;
    }
    const auto it = std::lower_bound(byId.begin(), byId.end(), row,
                                     [ids](qsizetype position, qint64 wanted) { return ids[position] < wanted; });
    return it != byId.end() && ids[*it] == row ? *it : -1;
}

void TimelineData::finish() {
    bool any = false;
    for (auto& track : tracks) {
        track.finish();
        for (qsizetype i = 0; i < track.size(); ++i) {
            first = any ? std::min<qint64>(first, track.begin[i]) : track.begin[i];
            last = any ? std::max<qint64>(last, track.end(i)) : track.end(i);
            any = true;
        }
    }
}

qsizetype TimelineData::sliceCount() const {
    qsizetype count = 0;
    for (const auto& track : tracks) {
        count += track.size();
    }
    return count;
}

void piecesOf(const TimelineTrack& track, double begin, double nsPerPixel, int width,
              std::vector<TimelinePiece>& pieces) {
    pieces.clear();
    const double end = begin + width * nsPerPixel;
    qsizetype i = track.firstFrom(static_cast<qint64>(begin));
    if (i > 0 && static_cast<double>(track.end(i - 1)) > begin) {
        --i;
    }
    while (i < track.size() && static_cast<double>(track.begin[i]) < end) {
        const double x0 = (static_cast<double>(track.begin[i]) - begin) / nsPerPixel;
        const double x1 = (static_cast<double>(track.end(i)) - begin) / nsPerPixel;
        if (x1 - x0 >= 1) {
            pieces.push_back({static_cast<float>(x0), static_cast<float>(x1), i, false, 1});
            ++i;
            continue;
        }
        // All slices that begin in this pixel are one piece; the next is found without looking at them.
        const double pixel = static_cast<double>(static_cast<qint64>(x0 < 0 ? x0 - 1 : x0));
        const qint64 boundary = static_cast<qint64>(begin + (pixel + 1) * nsPerPixel) + 1;
        const qsizetype next = std::max(i + 1, track.firstFrom(boundary));
        qsizetype longest = i;
        for (qsizetype k = i; k < std::min(next, i + 8); ++k) {
            longest = track.duration[k] > track.duration[longest] ? k : longest;
        }
        const double filled = static_cast<double>(track.busy[next] - track.busy[i]) / nsPerPixel;
        pieces.push_back({static_cast<float>(pixel), static_cast<float>(pixel + 1), longest, next - i > 1,
                          static_cast<float>(std::clamp(filled, 0.25, 1.0))});
        i = next;
    }
}

}  // namespace fusescope::gui
