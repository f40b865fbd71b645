// How do the times of an op spread, and how do they go over the steps?
#pragma once

#include <vector>

#include "profiler/query/common.hpp"

namespace fusescope::query {

enum class OpKey { kind, line, node, scope };

/// What the events of one row have in common: kind, source with line, node or scope, and the clock. Events without one
/// (no frame, eager, no scope) are the row with id 0.
struct OpGroup {
    Clock clock = Clock::measured;
    std::int64_t id = 0;
    std::int64_t line = 0;
};

/// A box plot in numbers: quartiles by linear interpolation; whiskers end at the last duration within 1.5 times the
/// height of the box.
struct OpSpread : OpGroup {
    std::int64_t calls = 0;
    std::int64_t total_ns = 0;
    double q1_ns = 0, median_ns = 0, q3_ns = 0;
    double low_ns = 0, high_ns = 0;      ///< ends of the whiskers, never inside the box
    std::int64_t outside = 0;            ///< events beyond the whiskers
    std::vector<std::int64_t> outliers;  ///< the farthest of those, at most 40, shortest first
};
/// Longest total first; events with a negative duration are left out.
std::vector<OpSpread> op_spreads(Database& database, OpKey key, const EventFilter& filter = {});

struct OpSteps : OpGroup {
    struct Step {
        std::int64_t step = 0;
        std::int64_t calls = 0;
        std::int64_t total_ns = 0;
    };
    std::int64_t total_ns = 0;
    std::vector<Step> steps;  ///< those it ran in, in order
};
/// Longest total first.
std::vector<OpSteps> times_over_steps(Database& database, OpKey key, const EventFilter& filter = {});

}  // namespace fusescope::query
