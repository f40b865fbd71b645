// Small types that many queries share.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "fusescope/event.hpp"
#include "profiler/db/database.hpp"

namespace fusescope::query {

/// Half-open stretch of the run's monotonic clock.
struct TimeRange {
    std::int64_t begin_ns = std::numeric_limits<std::int64_t>::min();
    std::int64_t end_ns = std::numeric_limits<std::int64_t>::max();
};

/// Which op events a query looks at. What is not set does not narrow.
struct EventFilter {
    std::optional<std::int64_t> run_id;
    std::optional<TimeRange> range;     ///< events that begin in it
    std::optional<std::string> mode;    ///< "eager" or "graph"
    std::optional<std::string> device;  ///< "cpu", "ascend", "ascend-model"
    std::optional<std::string> phase;   ///< "forward", "backward", "optimizer", "input"
    std::optional<std::int64_t> kind_id;
    std::optional<std::int64_t> node_id;
    std::optional<std::int64_t> frame_id;
    std::optional<std::int64_t> source_id;  ///< with `line`: events issued from that line, whatever the stack above
    std::optional<std::int64_t> line;
    std::optional<std::int64_t> first_step;
    std::optional<std::int64_t> last_step;  ///< inclusive

    /// Condition over `op_event e LEFT JOIN frame f ON f.id = e.frame_id`, "1" when nothing is set. Values are not in
    /// the text: bind them with bind_to.
    std::string sql() const;
    /// True when sql() names `f`.
    bool needs_frame() const { return source_id.has_value() || line.has_value(); }
    /// Binds the values, the first to `parameter`; returns the number after the last.
    int bind_to(Statement& statement, int parameter) const;
};

/// Sums over op events of one clock. Events with a negative duration are counted in `invalid` and nowhere else.
struct Totals {
    Clock clock = Clock::measured;
    std::int64_t calls = 0;
    std::int64_t total_ns = 0;
    std::int64_t min_ns = 0;
    std::int64_t max_ns = 0;
    std::int64_t bytes_read = 0;
    std::int64_t bytes_written = 0;
    std::int64_t flops = 0;
    std::int64_t invalid = 0;

    double mean_ns() const { return calls > 0 ? static_cast<double>(total_ns) / static_cast<double>(calls) : 0; }
    std::int64_t bytes() const { return bytes_read + bytes_written; }
};

}  // namespace fusescope::query
