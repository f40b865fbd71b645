// Where the rows of a timeline lie.
#include "gui/timeline/timeline_scene.hpp"

#include <algorithm>

namespace fusescope::gui {

namespace {

constexpr int kLaneGap = 7;
constexpr int kRowGap = 1;
constexpr int kLeastLane = 20;  // the name of a lane needs so much

bool isMain(RowKind kind) { return kind != RowKind::Scope && kind != RowKind::Pass && kind != RowKind::Launch; }

}  // namespace

bool TimelineScene::closable(int lane) const {
    const auto& all = data->lanes[lane].rows;
    const auto main = std::count_if(all.begin(), all.end(), [](const auto& row) { return isMain(row.kind); });
    return main > 0 && main < all.size();
}

int TimelineScene::place() {
    rows.clear();
    int top = kLaneGap;
    for (int l = 0; data && l < data->lanes.size(); ++l) {
        const auto& lane = data->lanes[l];
        const bool main = closed.contains(lane.name) && closable(l);
        for (int r = 0; r < lane.rows.size(); ++r) {
            if (main && !isMain(lane.rows[r].kind)) {
                continue;
            }
            const int rowHeight = std::max(lane.rows[r].height(), lane.rows.size() == 1 ? kLeastLane : 0);
            rows.push_back({l, r, top, rowHeight});
            top += rowHeight + kRowGap;
        }
        top += kLaneGap;
    }
    return top;
}

const TimelineScene::PlacedRow* TimelineScene::placed(int lane, int row) const {
    for (const auto& candidate : rows) {
        if (candidate.lane == lane && candidate.row == row) {
            return &candidate;
        }
    }
    return nullptr;
}

}  // namespace fusescope::gui
