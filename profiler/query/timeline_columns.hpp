// All slices of all tracks, in columns: for a view that pans and zooms at every frame and so cannot ask each time.
#pragma once

#include <vector>

#include "profiler/query/timeline.hpp"

namespace fusescope::query {

/// One entry a slice in each column, in order of id. Slices with a negative duration are left out.
struct SliceColumns {
    Track track;
    std::vector<std::int64_t> id;
    std::vector<std::int64_t> start_ns;
    std::vector<std::int64_t> duration_ns;
    /// Op kind; of transfers the direction: 0 to the device, 1 to the host, 2 on the device.
    std::vector<std::int64_t> kind_id;
};

/// In the order of tracks(). One pass over the events, about half a microsecond each.
std::vector<SliceColumns> slice_columns(Database& database);

}  // namespace fusescope::query
