// What was copied between host and device, and why?
#pragma once

#include <string>
#include <vector>

#include "profiler/query/common.hpp"

namespace fusescope::query {

struct Transfer {
    std::int64_t id = 0;
    std::int64_t run_id = 0;
    std::string kind;    ///< "h2d", "d2h", "d2d"
    std::string reason;  ///< "input", "parameter", "read_back", "print", "graph_break", "fallback"
    std::int64_t bytes = 0;
    std::int64_t start_ns = 0;
    std::int64_t duration_ns = 0;
    Clock clock = Clock::measured;
    bool pinned = false;
    std::int64_t frame_id = 0;
    std::string path;
    std::int64_t line = 0;
    std::int64_t op_event_id = 0;
    std::int64_t stream = 0;
};

/// In order of id, after `after_id`.
std::vector<Transfer> transfers(Database& database, std::int64_t after_id = 0, std::int64_t limit = 1000);
std::optional<Transfer> transfer(Database& database, std::int64_t id);

/// Sums by kind, reason and clock, most bytes first.
struct TransferSum {
    std::string kind;
    std::string reason;
    Clock clock = Clock::measured;
    std::int64_t count = 0;
    std::int64_t bytes = 0;
    std::int64_t duration_ns = 0;
    std::int64_t invalid = 0;  ///< with a negative duration: not in the other numbers
};
std::vector<TransferSum> transfer_sums(Database& database);

/// Sums by source line, kind and reason and clock, most bytes first.
struct TransferLine : TransferSum {
    std::int64_t source_id = 0;
    std::string path;
    std::int64_t line = 0;
    std::int64_t frame_id = 0;
};
std::vector<TransferLine> transfers_by_line(Database& database);

}  // namespace fusescope::query
