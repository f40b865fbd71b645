// Which ops ran, one by one?
#pragma once

#include <string>
#include <vector>

#include "profiler/query/common.hpp"

namespace fusescope::query {

struct OpEventInfo {
    std::int64_t id = 0;
    std::int64_t run_id = 0;
    std::int64_t step = 0;
    std::int64_t kind_id = 0;
    std::string name;  ///< of the kind
    std::int64_t node_id = 0;
    std::int64_t frame_id = 0;
    std::string path;  ///< of the frame's source
    std::int64_t line = 0;
    std::int64_t scope_id = 0;
    std::string scope;
    std::string mode;
    std::string device;
    std::string phase;
    std::int64_t stream = 0;
    std::int64_t thread = 0;
    std::int64_t launch_ns = 0;
    std::int64_t start_ns = 0;
    std::int64_t duration_ns = 0;
    Clock clock = Clock::measured;
    std::int64_t bytes_read = 0;
    std::int64_t bytes_written = 0;
    std::int64_t flops = 0;
};

/// Events that pass the filter, by id, after `after_id`: page by giving the last id seen. This is also how a growing
/// profile is followed.
std::vector<OpEventInfo> op_events(Database& database, const EventFilter& filter = {}, std::int64_t after_id = 0,
                                   std::int64_t limit = 1000);

/// Empty when there is no such event.
std::optional<OpEventInfo> op_event(Database& database, std::int64_t id);

/// The one recorded last; empty when there is none.
std::optional<OpEventInfo> last_op_event(Database& database);

/// How many events pass the filter.
std::int64_t count_op_events(Database& database, const EventFilter& filter = {});

}  // namespace fusescope::query
