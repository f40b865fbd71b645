// Self times are exact, and never add up to more than the wall.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "profiler/report/self_time.hpp"

using fusescope::report::Interval;
using fusescope::report::self_times;

TEST(SelfTime, InnerTimeIsTakenFromTheOuter) {
    EXPECT_EQ(self_times({{0, 100, 0}, {10, 20, 0}, {15, 5, 0}, {50, 10, 0}}),
              (std::vector<std::int64_t>{70, 15, 5, 10}));
}

TEST(SelfTime, SameStartMeansTheLongerIsOutside) {
    EXPECT_EQ(self_times({{0, 10, 0}, {0, 100, 0}}), (std::vector<std::int64_t>{10, 90}));
    EXPECT_EQ(self_times({{0, 10, 0}, {0, 10, 0}}), (std::vector<std::int64_t>{0, 10}));
}

TEST(SelfTime, LanesAtWorkTogetherShareTheMoment) {
    EXPECT_EQ(self_times({{0, 100, 0}, {50, 100, 1}}), (std::vector<std::int64_t>{75, 75}));
}

TEST(SelfTime, NextDoorNeighboursDoNotNest) {
    EXPECT_EQ(self_times({{0, 10, 0}, {10, 10, 0}}), (std::vector<std::int64_t>{10, 10}));
}

TEST(SelfTime, NothingAndNegativeDurationsAreNothing) {
    EXPECT_TRUE(self_times({}).empty());
    EXPECT_EQ(self_times({{5, 0, 0}, {5, -3, 0}}), (std::vector<std::int64_t>{0, 0}));
    EXPECT_EQ(self_times({{INT64_MAX - 5, INT64_MAX, 0}}), (std::vector<std::int64_t>{5}));
}

TEST(SelfTime, TimesAtTheEdgesOfTheNumbersAreTaken) {
    EXPECT_EQ(self_times({{INT64_MAX, 7, 0}, {INT64_MAX, 1, 1}}), (std::vector<std::int64_t>{0, 0}));
    EXPECT_EQ(self_times({{INT64_MAX - 5, 2, 0}, {INT64_MAX, 7, 0}}), (std::vector<std::int64_t>{2, 0}));
    EXPECT_EQ(self_times({{INT64_MIN, INT64_MAX, 0}}), (std::vector<std::int64_t>{INT64_MAX}));
    EXPECT_EQ(self_times({{INT64_MIN, INT64_MIN, 0}, {-1, INT64_MAX, 0}}), (std::vector<std::int64_t>{0, INT64_MAX}));
}

TEST(SelfTime, SumIsTheTimeInWhichAnythingRan) {
    std::mt19937 random(7);
    for (int round = 0; round < 200; ++round) {
        std::vector<Interval> intervals;
        std::vector<bool> busy(1000, false);
        for (int i = 0; i < 30; ++i) {
            const Interval interval{static_cast<std::int64_t>(random() % 900),
                                    static_cast<std::int64_t>(random() % 100),
                                    static_cast<std::uint32_t>(random() % 3)};
            intervals.push_back(interval);
            std::fill_n(busy.begin() + interval.start_ns, interval.duration_ns, true);
        }
        const auto self = self_times(intervals);
        EXPECT_EQ(std::accumulate(self.begin(), self.end(), std::int64_t{0}),
                  std::count(busy.begin(), busy.end(), true));
        EXPECT_TRUE(std::all_of(self.begin(), self.end(), [](std::int64_t ns) { return ns >= 0; }));
    }
}
