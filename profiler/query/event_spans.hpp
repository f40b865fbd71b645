// Every op event, slim: numbers only, for whoever has to go through all of them.
#pragma once

#include <functional>
#include <string>

#include "profiler/query/common.hpp"

namespace fusescope::query {

struct EventSpan {
    std::int64_t id = 0;
    std::int64_t step = 0;
    std::int64_t kind_id = 0;
    std::int64_t node_id = 0;
    std::int64_t source_id = 0;  ///< with `line`, of the innermost user frame; 0 when there is none
    std::int64_t line = 0;
    std::int64_t scope_id = 0;
    std::int64_t thread = 0;
    std::int64_t stream = 0;
    std::int64_t launch_ns = 0;
    std::int64_t start_ns = 0;
    std::int64_t duration_ns = 0;
    std::int64_t bytes = 0;  ///< read plus written
    std::int64_t flops = 0;
    Clock clock = Clock::measured;
    bool on_host = true;  ///< ran on the CPU, in the thread that issued it
    std::string phase, mode, device;
};

/// In order of id.
void for_each_event_span(Database& database, const std::function<void(const EventSpan&)>& take);

/// An output of an op event, as text: "Float32 (2, 3)".
void for_each_output(Database& database,
                     const std::function<void(std::int64_t op_event_id, std::int64_t output, std::string text)>& take);

}  // namespace fusescope::query
