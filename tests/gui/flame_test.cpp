// Flame graph and icicle.
#include <gtest/gtest.h>

#include <QApplication>
#include <QComboBox>
#include <QSignalSpy>
#include <QTest>

#include "gui/plots/flame_plot.hpp"
#include "tests/gui/gui_fixture.hpp"

namespace fusescope::gui {

namespace {

query::TimeNode node(query::TimeNode::What what, int parent, const char* name, std::int64_t id, std::int64_t ns) {
    query::TimeNode made;
    made.what = what;
    made.parent = parent;
    made.name = name;
    made.id = id;
    made.total_ns = ns;
    made.calls = 1;
    return made;
}

// net { small { Add 100 }, large { MatMul 700, Add 100 } }, Print 100
FlameTree sample() {
    using What = query::TimeNode::What;
    query::TimeTree tree;
    tree.nodes = {node(What::scope, -1, "net", 1, 900), node(What::scope, 0, "small", 2, 100),
                  node(What::op, 1, "Add", 1, 100),     node(What::scope, 0, "large", 3, 800),
                  node(What::op, 3, "Add", 1, 100),     node(What::op, 3, "MatMul", 2, 700),
                  node(What::op, -1, "Print", 3, 100)};
    return flameTree(tree);
}

int boxOf(const FlameTree& tree, const char* label) {
    for (int i = 0; i < tree.boxes.size(); ++i) {
        if (tree.boxes[i].label == QLatin1String(label)) {
            return i;
        }
    }
    return -1;
}

}  // namespace

TEST(FlameTree, ChildrenLieInTheirParentsTheLongestFirst) {
    const FlameTree tree = sample();
    EXPECT_EQ(tree.total, 1000);
    EXPECT_EQ(tree.depth, 3);
    EXPECT_EQ(tree.outermost, 2);
    ASSERT_EQ(tree.boxes.size(), 7);
    for (const auto& box : tree.boxes) {
        if (box.parent >= 0) {
            EXPECT_GE(box.begin, tree.boxes[box.parent].begin);
            EXPECT_LE(box.begin + box.total, tree.boxes[box.parent].begin + tree.boxes[box.parent].total);
            EXPECT_EQ(box.depth, tree.boxes[box.parent].depth + 1);
        }
        for (int i = 1; i < box.childCount; ++i) {
            const auto& before = tree.boxes[box.firstChild + i - 1];
            EXPECT_GE(before.total, tree.boxes[box.firstChild + i].total);
            EXPECT_EQ(before.begin + before.total, tree.boxes[box.firstChild + i].begin);
        }
    }
    EXPECT_EQ(tree.boxes[boxOf(tree, "MatMul")].begin, 0);
}

TEST(FlamePlot, ABoxIsAsWideAsItsTimeAndWidensByADoubleClick) {
    FlamePlot plot;
    plot.resize(1012, 200);
    plot.setTree(sample());
    plot.show();
    const int matmul = boxOf(plot.tree(), "MatMul"), large = boxOf(plot.tree(), "large");
    const int all = plot.rectOf(0).width() + plot.rectOf(boxOf(plot.tree(), "Print")).width();
    EXPECT_NEAR(plot.rectOf(matmul).width(), all * 0.7, 2);
    // A flame graph stands on what is outermost.
    EXPECT_LT(plot.rectOf(matmul).top(), plot.rectOf(0).top());
    plot.setIcicle(true);
    EXPECT_GT(plot.rectOf(matmul).top(), plot.rectOf(0).top());

    QSignalSpy chosen(&plot, &FlamePlot::chosen);
    QTest::mouseClick(plot.viewport(), Qt::LeftButton, {}, plot.rectOf(matmul).center());
    ASSERT_EQ(chosen.size(), 1);
    EXPECT_EQ(chosen[0][0].value<Selection>(), Selection::opKind(2));
    QTest::mouseDClick(plot.viewport(), Qt::LeftButton, {}, plot.rectOf(large).center());
    EXPECT_EQ(plot.focus(), large);
    EXPECT_NEAR(plot.rectOf(large).width(), all, 2);
    EXPECT_NEAR(plot.rectOf(0).width(), all, 2);  // what holds it is still told
    EXPECT_EQ(plot.rectOf(boxOf(plot.tree(), "Print")).width(), 0);
    QTest::keyClick(&plot, Qt::Key_F);
    EXPECT_EQ(plot.focus(), -1);
}

TEST(FlamePlot, ArrowKeysGoFromBoxToBox) {
    FlamePlot plot;
    plot.resize(800, 200);
    plot.setIcicle(true);
    plot.setTree(sample());
    plot.show();
    QSignalSpy chosen(&plot, &FlamePlot::chosen);
    const auto last = [&] { return chosen.back()[0].value<Selection>(); };
    QTest::keyClick(&plot, Qt::Key_Down);  // the first box
    EXPECT_EQ(last(), Selection::scope(1));
    QTest::keyClick(&plot, Qt::Key_Down);
    EXPECT_EQ(last(), Selection::scope(3));
    QTest::keyClick(&plot, Qt::Key_Right);
    EXPECT_EQ(last(), Selection::scope(2));
    QTest::keyClick(&plot, Qt::Key_Down);
    EXPECT_EQ(last(), Selection::opKind(1));
    QTest::keyClick(&plot, Qt::Key_Up);
    EXPECT_EQ(last(), Selection::scope(2));
}

class FlamePanel : public testing::WindowTest {};

TEST_F(FlamePanel, ShowsTheCellsAndTheLinesOfTheProfile) {
    openSample();
    raise("flame");
    auto* plot = find<FlamePlot>("flamePlot");
    ASSERT_FALSE(plot->tree().boxes.isEmpty());
    const bool scopes = std::any_of(plot->tree().boxes.begin(), plot->tree().boxes.end(),
                                    [](const auto& box) { return box.target.kind == Selection::Kind::Scope; });
    find<QComboBox>("flameGrouping")->setCurrentIndex(1);
    settle();
    const bool lines = std::any_of(plot->tree().boxes.begin(), plot->tree().boxes.end(),
                                   [](const auto& box) { return box.target.kind == Selection::Kind::Line; });
    EXPECT_TRUE(scopes || lines);
    EXPECT_TRUE(lines);
}

}  // namespace fusescope::gui
