// All slices of all tracks in one pass over each table.
#include "profiler/query/timeline_columns.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace fusescope::query {

namespace {

class Columns {
 public:
    explicit Columns(bool transfers) : transfers_(transfers) {}

    void add(Statement& row) {
        const std::int64_t duration = row.integer(2);
        if (duration < 0) {
            return;
        }
        SliceColumns& columns = of(row.text_view(4), row.integer(5), row.text_view(6) == "modelled");
        columns.id.push_back(row.integer(0));
        columns.start_ns.push_back(row.integer(1));
        columns.duration_ns.push_back(duration);
        columns.kind_id.push_back(row.integer(3));
        ++columns.track.events;
    }

    std::vector<SliceColumns> take() {
        std::stable_sort(all_.begin(), all_.end(), [](const SliceColumns& a, const SliceColumns& b) {
            const auto key = [](const Track& t) { return std::tuple(t.device != "cpu", t.device, t.number, t.clock); };
            return key(a.track) < key(b.track);
        });
        return std::move(all_);
    }

 private:
    // Neighbouring events are nearly always on the same track, and there are few tracks.
    SliceColumns& of(std::string_view device, std::int64_t number, bool modelled) {
        const Clock clock = modelled ? Clock::modelled : Clock::measured;
        const auto same = [&](const SliceColumns& columns) {
            return columns.track.number == number && columns.track.clock == clock && columns.track.device == device;
        };
        if (last_ < all_.size() && same(all_[last_])) {
            return all_[last_];
        }
        const auto found = std::find_if(all_.begin(), all_.end(), same);
        last_ = static_cast<std::size_t>(found - all_.begin());
        if (found == all_.end()) {
            SliceColumns& made = all_.emplace_back();
            made.track.device = device;
            made.track.number = number;
            made.track.clock = clock;
            made.track.transfers = transfers_;
        }
        return all_[last_];
    }

    bool transfers_;
    std::vector<SliceColumns> all_;
    std::size_t last_ = 0;
};

}  // namespace

std::vector<SliceColumns> slice_columns(Database& database) {
    Columns ops(false);
    Statement events = database.prepare(
        "SELECT id, start_ns, duration_ns, kind_id, device, coalesce(CASE device WHEN 'cpu' THEN thread ELSE stream "
        "END, 0), "
        "clock FROM op_event ORDER BY id");
    while (events.step()) {
        ops.add(events);
    }
    Columns copies(true);
    Statement transfers = database.prepare(
        "SELECT id, start_ns, duration_ns, CASE kind WHEN 'h2d' THEN 0 WHEN 'd2h' THEN 1 ELSE 2 END, '', "
        "coalesce(stream, 0), clock FROM transfer ORDER BY id");
    while (transfers.step()) {
        copies.add(transfers);
    }
    auto all = ops.take();
    auto more = copies.take();
    all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i].track.index = static_cast<int>(i);
    }
    return all;
}

}  // namespace fusescope::query
