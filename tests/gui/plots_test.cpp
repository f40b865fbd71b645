// Charts of ops and transfers.
#include <gtest/gtest.h>

#include <QComboBox>
#include <QSignalSpy>
#include <QTest>

#include "gui/plots/box_plot.hpp"
#include "gui/plots/roofline_plot.hpp"
#include "gui/plots/step_plot.hpp"
#include "gui/plots/transfer_plot.hpp"
#include "tests/gui/gui_fixture.hpp"

namespace fusescope::gui {

namespace {

void click(PlotWidget& plot, const QPointF& at) {
    QTest::mouseClick(plot.findChild<QWidget*>(), Qt::LeftButton, {}, at.toPoint());
}

template <typename Plot>
void show(Plot& plot, int width = 800, int height = 400) {
    plot.resize(width, height);
    plot.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&plot));
    QTest::qWait(20);  // plots replot in the next turn of the loop
}

RooflinePlot::Point point(double flops, double bytes, double ns, bool modelled, qint64 kind) {
    RooflinePlot::Point made;
    made.label = QStringLiteral("op %1").arg(kind);
    made.flops = flops;
    made.bytes = bytes;
    made.ns = ns;
    made.share = 0.3;
    made.modelled = modelled;
    made.color = Qt::blue;
    made.target = Selection::opKind(kind);
    return made;
}

}  // namespace

TEST(BoxPlot, ABoxLiesAtItsMedianAndIsChosenByAClick) {
    BoxPlot plot;
    BoxPlot::Box quick;
    quick.label = "Add";
    quick.calls = 100;
    quick.low = 800;
    quick.q1 = 1000;
    quick.median = 1200;
    quick.q3 = 1500;
    quick.high = 2000;
    quick.outliers = {9000};
    quick.outside = 1;
    quick.target = Selection::opKind(1);
    BoxPlot::Box slow = quick;
    slow.label = "MatMul";
    slow.target = Selection::opKind(2);
    for (double* value : {&slow.low, &slow.q1, &slow.median, &slow.q3, &slow.high}) {
        *value *= 1000;
    }
    plot.setBoxes({slow, quick});
    show(plot);
    EXPECT_GT(plot.positionOf(0).x(), plot.positionOf(1).x() + 100);  // three decades apart
    EXPECT_LT(plot.positionOf(0).y(), plot.positionOf(1).y());
    QSignalSpy chosen(&plot, &BoxPlot::chosen);
    click(plot, plot.positionOf(1));
    ASSERT_EQ(chosen.size(), 1);
    EXPECT_EQ(chosen[0][0].value<Selection>(), Selection::opKind(1));
}

TEST(StepPlot, DrawsTheLongestAndWhatIsMarked) {
    StepPlot plot;
    QVector<StepPlot::Line> lines;
    for (int i = 0; i < 20; ++i) {
        StepPlot::Line line;
        line.label = QStringLiteral("op %1").arg(i);
        line.steps = {0, 1, 2, 3};
        line.ns = {1e6 / (i + 1), 1e6 / (i + 1), 0, 1e6 / (i + 1)};
        line.target = Selection::opKind(i + 1);
        lines.push_back(line);
    }
    plot.setLines(lines);
    show(plot);
    EXPECT_EQ(plot.drawn(), (QVector<int>{0, 1, 2, 3, 4, 5}));
    plot.setMarked([](const StepPlot::Line& line) { return line.target.id == 18; });
    EXPECT_EQ(plot.drawn(), (QVector<int>{0, 1, 2, 3, 4, 5, 17}));
    for (auto& line : lines) {
        line.steps.resize(1);
        line.ns.resize(1);
    }
    plot.setLines(lines);
    EXPECT_TRUE(plot.drawn().isEmpty());  // one step has no course
}

TEST(RooflinePlot, RoofsAreTheBestOfEachClock) {
    RooflinePlot plot;
    plot.setPoints({point(1e6, 1e3, 1e3, false, 1),  // 1 TFLOP/s, 1 GB/s
                    point(1e3, 1e6, 1e4, false, 2),  // 100 MFLOP/s, 100 GB/s
                    point(1e6, 1e6, 1e2, true, 3),   // 10 TFLOP/s, 10 TB/s
                    point(0, 1e6, 1e2, false, 4)});  // computes nothing
    ASSERT_EQ(plot.points().size(), 3);
    EXPECT_DOUBLE_EQ(plot.roof(false).flopsPerSecond, 1e12);
    EXPECT_DOUBLE_EQ(plot.roof(false).bytesPerSecond, 1e11);
    EXPECT_DOUBLE_EQ(plot.roof(true).flopsPerSecond, 1e13);
    EXPECT_DOUBLE_EQ(plot.roof(true).bytesPerSecond, 1e13);
    show(plot);
    EXPECT_GT(plot.positionOf(0).x(), plot.positionOf(1).x());  // more FLOPs by byte
    EXPECT_LT(plot.positionOf(0).y(), plot.positionOf(1).y());  // more FLOPs by time
    QSignalSpy chosen(&plot, &RooflinePlot::chosen);
    click(plot, plot.positionOf(1));
    ASSERT_EQ(chosen.size(), 1);
    EXPECT_EQ(chosen[0][0].value<Selection>(), Selection::opKind(2));
}

TEST(TransferPlot, BandwidthIsBytesByTime) {
    TransferPlot plot;
    plot.setPoints({{1, 100, 1 << 20, 1e6, "h2d", "input", false},  // 1 GiB/s or so
                    {2, 200, 1 << 20, 1e4, "h2d", "input", false},  // a hundred times that
                    {3, 300, 1 << 10, 1e3, "d2h", "read_back", false}});
    plot.setAxes(TransferPlot::Axes::BandwidthBySize);
    show(plot);
    EXPECT_NEAR(plot.positionOf(0).x(), plot.positionOf(1).x(), 0.5);  // as large
    EXPECT_GT(plot.positionOf(0).y(), plot.positionOf(1).y() + 20);
    EXPECT_LT(plot.positionOf(2).x(), plot.positionOf(0).x());
    EXPECT_NEAR(plot.positionOf(2).y(), plot.positionOf(0).y(), 2);  // as quick
    plot.setAxes(TransferPlot::Axes::SizeOverTime);
    QTest::qWait(20);
    EXPECT_LT(plot.positionOf(0).x(), plot.positionOf(1).x());
    EXPECT_NEAR(plot.positionOf(0).y(), plot.positionOf(1).y(), 0.5);
}

class OpChart : public testing::WindowTest {};

TEST_F(OpChart, ShowsSpreadAndCourseOfEveryGrouping) {
    openSample();
    raise("op_chart");
    for (int grouping = 0; grouping < 4; ++grouping) {
        find<QComboBox>("opChartGrouping")->setCurrentIndex(grouping);
        find<QComboBox>("opChartShape")->setCurrentIndex(1);
        settle();
        const auto& boxes = find<BoxPlot>("opBoxes")->boxes();
        ASSERT_FALSE(boxes.isEmpty()) << grouping;
        for (const auto& box : boxes) {
            EXPECT_LE(box.low, box.q1);
            EXPECT_LE(box.q1, box.median);
            EXPECT_LE(box.median, box.q3);
            EXPECT_LE(box.q3, box.high);
        }
        find<QComboBox>("opChartShape")->setCurrentIndex(2);
        settle();
        EXPECT_FALSE(find<StepPlot>("opSteps")->lines().isEmpty()) << grouping;
    }
}

TEST_F(OpChart, RooflineFollowsTheGrouping) {
    openSample();
    raise("roofline");
    auto* plot = find<RooflinePlot>("rooflinePlot");
    ASSERT_FALSE(plot->points().isEmpty());
    EXPECT_EQ(plot->points()[0].target.kind, Selection::Kind::OpKind);
    find<QComboBox>("rooflineGrouping")->setCurrentIndex(1);
    settle();
    ASSERT_FALSE(plot->points().isEmpty());
    EXPECT_EQ(plot->points()[0].target.kind, Selection::Kind::Line);
}

}  // namespace fusescope::gui
