// The timeline's data and its view.
#include <gtest/gtest.h>

#include <QElapsedTimer>
#include <QTest>
#include <numeric>

#include "gui/app/jobs.hpp"
#include "gui/app/watchdog.hpp"
#include "gui/timeline/timeline_view.hpp"
#include "tests/gui/gui_fixture.hpp"

namespace fusescope::gui {

namespace {

std::shared_ptr<TimelineData> million(int slices) {
    auto data = std::make_shared<TimelineData>();
    data->labels = {"Add", "Mul", "MatMul"};
    for (int t = 0; t < 3; ++t) {
        SliceBuilder builder;
        for (int i = 0; i < slices / 3; ++i) {
            builder.add(static_cast<qint64>(i) * 1000, 100 + (i * 37) % 800, i * 3 + t + 1,
                        static_cast<quint32>(i % 3));
        }
        TimelineLane lane;
        lane.name = QStringLiteral("CPU thread %1").arg(t);
        lane.rows.push_back({});
        lane.rows.back().slices = builder.take();
        data->lanes.push_back(std::move(lane));
    }
    data->finish();
    return data;
}

const SliceStore& firstRow(const TimelineData& data) { return data.lanes[0].rows[0].slices; }

}  // namespace

TEST(Timeline, PaintsAMillionSlicesInAFrame) {
    TimelineView view;
    view.resize(1920, 400);
    view.setData(million(1'000'000));
    view.show();
    QVector<qint64> times;
    for (int frame = 0; frame < 60; ++frame) {
        view.zoom(frame < 30 ? 1.25 : 0.8, 900);
        view.pan(17);
        view.viewport()->repaint();
        times.push_back(view.lastPaintNs());
    }
    std::sort(times.begin(), times.end());
    // Other programs may run beside this one: the middle frame must be quick, the worst not absurd.
    EXPECT_LT(times[30], 16'000'000);
    EXPECT_LT(times.back(), 100'000'000);
}

TEST(Timeline, PiecesAreFewHoweverManySlices) {
    const auto data = million(300'000);
    std::vector<TimelinePiece> pieces;
    const double span = static_cast<double>(data->last - data->first);
    piecesOf(data->lanes[0].rows[0], 0, span / 1000, 1000, pieces);
    EXPECT_LE(pieces.size(), 2001u);
    EXPECT_GE(pieces.size(), 900u);
    EXPECT_TRUE(pieces.front().many);
}

TEST(Timeline, PiecesOfFewSlicesAreTheSlices) {
    const auto data = million(300'000);
    std::vector<TimelinePiece> pieces;
    piecesOf(data->lanes[0].rows[0], 10'000, 10, 1000, pieces);  // 10 µs wide: ten slices of a µs each
    ASSERT_EQ(pieces.size(), 10u);
    for (const auto& piece : pieces) {
        EXPECT_FALSE(piece.many);
        EXPECT_EQ(firstRow(*data).begin(piece.slice) / 1000, piece.slice);
    }
}

// Also what begins in the middle of a pixel full of short ones.
TEST(Timeline, ALongSliceIsDrawnAsLongAsItIs) {
    SliceBuilder builder;
    builder.add(100, 10, 1, 0);
    builder.add(120, 10, 2, 0);
    builder.add(140, 5000, 3, 0);
    TimelineRow row;
    row.slices = builder.take();
    std::vector<TimelinePiece> pieces;
    piecesOf(row, 0, 1000, 10, pieces);
    ASSERT_EQ(pieces.size(), 2u);
    EXPECT_EQ(pieces[1].slice, 2);
    EXPECT_NEAR(pieces[1].x1, 5.14, 0.01);
}

TEST(SliceStore, FindsSlicesByIdAndTimeAlsoWhenTheyComeOutOfOrder) {
    SliceBuilder builder;
    builder.add(300, 50, 7, 0);
    builder.add(100, 50, 9, 0);
    builder.add(200, 50, 2, 0);
    const SliceStore store = builder.take();
    EXPECT_EQ(store.find(9), 0);
    EXPECT_EQ(store.find(2), 1);
    EXPECT_EQ(store.find(7), 2);
    EXPECT_EQ(store.find(1), -1);
    EXPECT_EQ(store.at(120, 0), 0);
    EXPECT_EQ(store.at(160, 0), -1);
    EXPECT_EQ(store.at(155, 10), 0);
    EXPECT_EQ(store.at(198, 10), 1);
    EXPECT_EQ(store.busyBefore(3), 150);
}

// The columns against the plainest of loops, over several chunks and over a store that was continued.
TEST(SliceStore, SumsAndLongestAreThoseOfAPlainLoop) {
    std::vector<qint64> begins, durations;
    SliceBuilder builder(true);
    SliceStore store;
    quint32 random = 1;
    qint64 now = 0;
    for (int i = 0; i < 100'000; ++i) {
        random = random * 1664525u + 1013904223u;
        const qint64 duration = 1 + random % 1000;
        builder.add(now, duration, i + 1, random % 7, now - 5, i);
        begins.push_back(now);
        durations.push_back(duration);
        now += duration + random % 50;
        if (i == 41'234) {
            store = builder.take();
            builder = SliceBuilder(store);
        }
    }
    const SliceStore before = store;
    store = builder.take();
    EXPECT_EQ(before.size(), 41'235);
    ASSERT_EQ(store.size(), 100'000);
    for (const auto& [first, last] : {std::pair<qsizetype, qsizetype>{0, 100'000},
                                      {63, 64},
                                      {64, 128},
                                      {1, 40'000},
                                      {32'767, 32'769},
                                      {65'000, 99'999}}) {
        const auto from = durations.begin() + first, to = durations.begin() + last;
        EXPECT_EQ(store.busyBefore(last) - store.busyBefore(first), std::accumulate(from, to, qint64{0}));
        EXPECT_EQ(store.duration(store.longest(first, last)), *std::max_element(from, to));
    }
    for (const qsizetype i : {qsizetype{0}, qsizetype{41'234}, qsizetype{41'235}, qsizetype{99'999}}) {
        EXPECT_EQ(store.firstFrom(begins[static_cast<size_t>(i)]), i);
        EXPECT_EQ(store.firstLinkFrom(begins[static_cast<size_t>(i)] - 5), i);
        EXPECT_EQ(store.find(i + 1), i);
        EXPECT_EQ(store.extra(i), i);
    }
}

TEST(Counter, MemoryKeepsThePeakHoweverManyEvents) {
    MemoryCounter counter;
    for (qint64 i = 0; i < 1'000'000; ++i) {
        counter.add(i * 10, i == 765'432 ? 1'000'000 : i % 100);
    }
    EXPECT_EQ(counter.scale(), 1'000'000);
    EXPECT_EQ(counter.highest(0, 1e7), 1'000'000);
    EXPECT_EQ(counter.highest(7'654'000, 7'655'000), 1'000'000);
    EXPECT_LE(counter.highest(0, 7'000'000), 99);
    EXPECT_LE(counter.size(), 400'000);
}

TEST(Counter, QueueIsWhatWasLaunchedAndHasNotEnded) {
    SliceBuilder builder(true);
    builder.add(100, 50, 1, 0, 10);
    builder.add(150, 50, 2, 0, 20);
    builder.add(200, 50, 3, 0, 30);
    const QueueCounter queue({builder.take()});
    EXPECT_EQ(queue.highest(0, 5), 0);
    EXPECT_EQ(queue.highest(15, 16), 1);
    EXPECT_EQ(queue.highest(40, 41), 3);
    EXPECT_EQ(queue.highest(160, 161), 2);
    EXPECT_EQ(queue.highest(300, 301), 0);
}

TEST(Counter, BandwidthIsBytesByTimeOfTransfersInSight) {
    SliceBuilder builder(true);
    builder.add(1000, 1000, 1, 0, 0, 4000);
    const BandwidthCounter bandwidth(builder.take());
    EXPECT_DOUBLE_EQ(bandwidth.highest(1000, 2000), 4e9);
    EXPECT_DOUBLE_EQ(bandwidth.highest(1250, 1500), 4e9);
    EXPECT_DOUBLE_EQ(bandwidth.highest(0, 4000), 1e9);
    EXPECT_DOUBLE_EQ(bandwidth.highest(3000, 4000), 0);
}

TEST(Timeline, KeysZoomPanAndFit) {
    TimelineView view;
    view.resize(1000, 300);
    view.setData(million(3000));
    view.show();
    const TimeRange whole = view.visibleRange();
    QTest::keyClick(&view, Qt::Key_W);
    const TimeRange closer = view.visibleRange();
    EXPECT_LT(closer.end - closer.begin, whole.end - whole.begin);
    QTest::keyClick(&view, Qt::Key_D);
    EXPECT_GT(view.visibleRange().begin, closer.begin);
    QTest::keyClick(&view, Qt::Key_F);
    EXPECT_EQ(view.visibleRange(), whole);
}

TEST(Timeline, ClickTellsTheSlice) {
    TimelineView view;
    view.resize(1000, 300);
    view.setData(million(3000));
    view.show();
    view.setVisibleRange({0, 20'000});
    const auto centre = view.centreOf(Selection::Kind::OpEvent, 10);
    ASSERT_TRUE(centre);
    qint64 clicked = 0;
    QObject::connect(&view, &TimelineView::sliceClicked, &view, [&](Selection::Kind, qint64 id) { clicked = id; });
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, *centre);
    EXPECT_EQ(clicked, 10);
}

TEST(Timeline, ShiftDragMarksARange) {
    TimelineView view;
    view.resize(1000, 300);
    view.setData(million(3000));
    view.show();
    ASSERT_FALSE(view.markedRange());
    QTest::mousePress(view.viewport(), Qt::LeftButton, Qt::ShiftModifier, {300, 60});
    QMouseEvent move(QEvent::MouseMove, QPointF(600, 60), view.viewport()->mapToGlobal(QPointF(600, 60)), Qt::NoButton,
                     Qt::LeftButton, Qt::ShiftModifier);
    QApplication::sendEvent(view.viewport(), &move);
    QTest::mouseRelease(view.viewport(), Qt::LeftButton, Qt::ShiftModifier, {600, 60});
    ASSERT_TRUE(view.markedRange());
    EXPECT_GT(view.markedRange()->end, view.markedRange()->begin);
}

TEST(Timeline, ADragOnTheRulerMarksARangeAndEscapeTakesItAway) {
    TimelineView view;
    view.resize(1000, 300);
    view.setData(million(3000));
    view.show();
    QTest::mousePress(view.viewport(), Qt::LeftButton, {}, {300, 10});
    QMouseEvent move(QEvent::MouseMove, QPointF(600, 10), view.viewport()->mapToGlobal(QPointF(600, 10)), Qt::NoButton,
                     Qt::LeftButton, {});
    QApplication::sendEvent(view.viewport(), &move);
    QTest::mouseRelease(view.viewport(), Qt::LeftButton, {}, {600, 10});
    ASSERT_TRUE(view.markedRange());
    const auto sums = sumsOf(*view.data(), *view.markedRange());
    ASSERT_EQ(sums.size(), 3);
    EXPECT_NEAR(static_cast<double>(sums[0].count),
                static_cast<double>(view.markedRange()->end - view.markedRange()->begin) / 1000, 2);
    QTest::keyClick(&view, Qt::Key_Escape);
    EXPECT_FALSE(view.markedRange());
}

TEST(Watchdog, NoticesAStall) {
    Watchdog watchdog;
    testing::waitFor([&] { return false; }, 50);
    watchdog.reset();
    QElapsedTimer stall;
    stall.start();
    while (stall.elapsed() < 150) {
    }
    testing::waitFor([&] { return false; }, 30);
    EXPECT_GE(watchdog.longestStall(), 100);
}

}  // namespace fusescope::gui
