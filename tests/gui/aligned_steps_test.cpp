// Steps below each other, and their average.
#include "gui/timeline/aligned_steps.hpp"

#include <gtest/gtest.h>

#include <QToolButton>

#include "gui/timeline/timeline_view.hpp"
#include "tests/gui/gui_fixture.hpp"

namespace fusescope::gui {

namespace {

// Steps of a MatMul and an Add; step k begins at 1000 k, and its Add takes 100 + 10 k. `odd` runs another op.
TimelineReading reading(int steps, int odd = -1) {
    TimelineReading made;
    OpLaneState lane;
    lane.device = QStringLiteral("cpu");
    SliceBuilder builder;
    for (int k = 0; k < steps; ++k) {
        const qint64 begin = 1000 * k;
        builder.add(begin + 50, 200, 2 * k + 1, k == odd ? 2 : 0);
        builder.add(begin + 300, 100 + 10 * k, 2 * k + 2, 1);
        made.steps[k] = {begin, begin + 400 + 10 * k};
    }
    lane.rows = {builder.take()};
    made.ops = {lane};
    auto data = std::make_shared<TimelineData>();
    data->labels = {"MatMul", "Add", "Exp"};
    made.data = data;
    return made;
}

const auto never = [] { return false; };

}  // namespace

TEST(AlignedSteps, BeginAtZeroAndAreAveraged) {
    const auto data = alignSteps(reading(5), never);
    ASSERT_TRUE(data);
    EXPECT_TRUE(data->aligned);
    ASSERT_EQ(data->lanes.size(), 6);  // the average first
    const SliceStore& average = data->lanes[0].rows[0].slices;
    ASSERT_EQ(average.size(), 2);
    EXPECT_EQ(average.begin(0), 50);
    EXPECT_EQ(average.duration(0), 200);
    EXPECT_EQ(average.duration(1), 120);
    EXPECT_EQ(data->lanes[0].rows[0].target, Selection::Kind::None);
    for (int k = 0; k < 5; ++k) {
        const SliceStore& step = data->lanes[k + 1].rows[0].slices;
        ASSERT_EQ(step.size(), 2);
        EXPECT_EQ(step.begin(0), 50);
        EXPECT_EQ(step.duration(1), 100 + 10 * k);
        EXPECT_EQ(step.id(1), 2 * k + 2);  // still the op of the run
    }
}

TEST(AlignedSteps, WhatRanOtherOpsIsNotInTheAverage) {
    const auto data = alignSteps(reading(5, 4), never);
    ASSERT_TRUE(data);
    EXPECT_TRUE(data->lanes[0].name.contains('4')) << data->lanes[0].name.toStdString();
    EXPECT_EQ(data->lanes[0].rows[0].slices.duration(1), 115);
    EXPECT_EQ(data->lanes.size(), 6);
}

TEST(AlignedSteps, OfManyTheSlowestTheMiddleAndTheFastestAreShown) {
    const auto data = alignSteps(reading(80), never);
    ASSERT_TRUE(data);
    ASSERT_EQ(data->lanes.size(), 1 + 30 + 2);
    EXPECT_EQ(data->lanes[1].rows[0].slices.duration(1), 100 + 10 * 79);
    EXPECT_EQ(data->lanes.back().rows[0].slices.duration(1), 100);
}

TEST(AlignedSteps, OneStepIsNotAligned) {
    EXPECT_FALSE(alignSteps(reading(1), never));
    EXPECT_FALSE(alignSteps(reading(5), [] { return true; }));
}

// On a device a step still runs when the next one is launched.
TEST(AlignedSteps, OpsOfADeviceBelongToTheStepThatLaunchedThem) {
    TimelineReading made = reading(3);
    OpLaneState device;
    device.device = QStringLiteral("ascend-model");
    device.modelled = true;
    SliceBuilder builder(true);
    for (int k = 0; k < 3; ++k) {
        builder.add(1000 * k + 900, 800, 100 + k, 0, 1000 * k + 60, 0);
    }
    device.rows = {builder.take()};
    made.ops.push_back(device);
    const auto data = alignSteps(made, never);
    ASSERT_TRUE(data);
    int looked = 0;
    for (const auto& lane : data->lanes) {
        if (lane.modelled) {
            EXPECT_EQ(lane.kind, LaneKind::Device);
            ASSERT_EQ(lane.rows[0].slices.size(), 1);
            EXPECT_EQ(lane.rows[0].slices.begin(0), 900);
            ++looked;
        }
    }
    EXPECT_EQ(looked, 4);
}

class AlignedTimeline : public testing::WindowTest {};

TEST_F(AlignedTimeline, AButtonAlignsAndAnotherClickGoesBack) {
    openSample();
    raise("timeline");
    auto* view = find<TimelineView>("timelineView");
    auto* button = find<QToolButton>("alignSteps");
    ASSERT_TRUE(button->isEnabled());
    button->click();
    settle();
    EXPECT_TRUE(view->data()->aligned);
    select(Selection::opEvent(5));  // an op is found in its step, too
    EXPECT_TRUE(view->centreOf(Selection::Kind::OpEvent, 5).has_value());
    button->click();
    settle();
    EXPECT_FALSE(view->data()->aligned);
}

}  // namespace fusescope::gui
