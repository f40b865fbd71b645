// How do the times of an op spread, and how do they go over the steps?
#include "profiler/query/op_spread.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <tuple>
#include <unordered_map>

namespace fusescope::query {

namespace {

constexpr std::size_t kMostOutliers = 40;

/// Calls take(group, step, duration) for each event with a duration; the groups are numbered from 0.
std::vector<OpGroup> for_each_event(Database& database, OpKey key, const EventFilter& filter,
                                    const std::function<void(std::size_t, std::int64_t, std::int64_t)>& take) {
    const char* column = key == OpKey::kind   ? "e.kind_id"
                         : key == OpKey::line ? "e.frame_id"
                         : key == OpKey::node ? "e.node_id"
                                              : "e.scope_id";
    std::unordered_map<std::int64_t, std::pair<std::int64_t, std::int64_t>> places;
    if (key == OpKey::line) {
        Statement frames = database.prepare("SELECT id, source_id, line FROM frame");
        while (frames.step()) places[frames.integer(0)] = {frames.integer(1), frames.integer(2)};
    }
    std::string sql = std::string("SELECT ") + column + ", e.clock = 'modelled', e.step, e.duration_ns FROM op_event e";
    if (filter.needs_frame()) sql += " LEFT JOIN frame f ON f.id = e.frame_id";
    Statement statement = database.prepare(sql + " WHERE " + filter.sql());
    filter.bind_to(statement, 1);

    std::vector<OpGroup> groups;
    std::map<std::tuple<std::int64_t, std::int64_t, Clock>, std::size_t> numbers;
    std::unordered_map<std::int64_t, std::size_t> known[2];  // by the column alone: several frames may be one line
    while (statement.step()) {
        const std::int64_t duration = statement.integer(3);
        if (duration < 0) continue;
        const bool modelled = statement.integer(1) != 0;
        const std::int64_t value = statement.integer(0);
        auto at = known[modelled].find(value);
        if (at == known[modelled].end()) {
            OpGroup group;
            group.clock = modelled ? Clock::modelled : Clock::measured;
            group.id = value;
            if (key == OpKey::line) std::tie(group.id, group.line) = places[value];
            const auto [number, fresh] = numbers.try_emplace({group.id, group.line, group.clock}, groups.size());
            if (fresh) groups.push_back(group);
            at = known[modelled].emplace(value, number->second).first;
        }
        take(at->second, statement.integer(2), duration);
    }
    return groups;
}

/// Of sorted values.
double quantile(const std::vector<std::int64_t>& values, double share) {
    const double place = share * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    return static_cast<double>(values[below]) +
           (place - std::floor(place)) * static_cast<double>(values[above] - values[below]);
}

template <class Row>
void longest_first(std::vector<Row>& rows) {
    std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.total_ns > b.total_ns; });
}

}  // namespace

std::vector<OpSpread> op_spreads(Database& database, OpKey key, const EventFilter& filter) {
    std::vector<std::vector<std::int64_t>> durations;
    const auto groups =
        for_each_event(database, key, filter, [&durations](std::size_t group, std::int64_t, std::int64_t duration) {
            if (group == durations.size()) durations.emplace_back();
            durations[group].push_back(duration);
        });
    std::vector<OpSpread> rows;
    for (std::size_t g = 0; g < groups.size(); ++g) {
        auto& values = durations[g];
        std::sort(values.begin(), values.end());
        OpSpread& row = rows.emplace_back();
        static_cast<OpGroup&>(row) = groups[g];
        row.calls = static_cast<std::int64_t>(values.size());
        for (const std::int64_t value : values) row.total_ns += value;
        row.q1_ns = quantile(values, 0.25);
        row.median_ns = quantile(values, 0.5);
        row.q3_ns = quantile(values, 0.75);
        const double reach = 1.5 * (row.q3_ns - row.q1_ns);
        const auto first = std::find_if(values.begin(), values.end(), [&](std::int64_t value) {
            return static_cast<double>(value) >= row.q1_ns - reach;
        });
        const auto last = std::find_if(values.rbegin(), values.rend(), [&](std::int64_t value) {
            return static_cast<double>(value) <= row.q3_ns + reach;
        });
        // Quartiles between two durations may lie beyond the last one in reach.
        row.low_ns = std::min(static_cast<double>(*first), row.q1_ns);
        row.high_ns = std::max(static_cast<double>(*last), row.q3_ns);
        const auto short_ones = static_cast<std::size_t>(first - values.begin());
        const auto long_ones = static_cast<std::size_t>(last - values.rbegin());
        row.outside = static_cast<std::int64_t>(short_ones + long_ones);
        const std::size_t kept_short = std::min(short_ones, kMostOutliers / 2);
        const std::size_t kept_long = std::min(long_ones, kMostOutliers - kept_short);
        row.outliers.assign(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(kept_short));
        row.outliers.insert(row.outliers.end(), values.end() - static_cast<std::ptrdiff_t>(kept_long), values.end());
    }
    longest_first(rows);
    return rows;
}

std::vector<OpSteps> times_over_steps(Database& database, OpKey key, const EventFilter& filter) {
    std::vector<std::unordered_map<std::int64_t, OpSteps::Step>> sums;
    const auto groups =
        for_each_event(database, key, filter, [&sums](std::size_t group, std::int64_t step, std::int64_t duration) {
            if (group == sums.size()) sums.emplace_back();
            OpSteps::Step& sum = sums[group][step];
            sum.step = step;
            ++sum.calls;
            sum.total_ns += duration;
        });
    std::vector<OpSteps> rows;
    for (std::size_t g = 0; g < groups.size(); ++g) {
        OpSteps& row = rows.emplace_back();
        static_cast<OpGroup&>(row) = groups[g];
        for (const auto& [step, sum] : sums[g]) {
            row.steps.push_back(sum);
            row.total_ns += sum.total_ns;
        }
        std::sort(row.steps.begin(), row.steps.end(), [](const auto& a, const auto& b) { return a.step < b.step; });
    }
    longest_first(rows);
    return rows;
}

}  // namespace fusescope::query
