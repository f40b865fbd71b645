// Folding and layout of graphs.
#include <gtest/gtest.h>

#include "gui/graph/layout.hpp"
#include "gui/graph/visible_graph.hpp"

namespace fusescope::gui {

namespace {

GraphNode node(qint64 id, const QString& op, qint64 parent = 0, const QString& scope = {}) {
    return {id, QStringLiteral("n%1").arg(id), op, "Float32", "(2, 3)", scope, parent, -1, false};
}

// x → Fused{ Parameter p, Add, Mul } → Return
GraphData fused() {
    GraphData data;
    data.stage = 1;
    data.nodes = {node(1, "Parameter"), node(2, "Fused"),  node(3, "Parameter", 2),
                  node(4, "Add", 2),    node(5, "Mul", 2), node(6, "Return")};
    data.edges = {{1, 0, 2, 0}, {2, 0, 6, 0}, {3, 0, 4, 0}, {4, 0, 5, 0}};
    data.index();
    return data;
}

GraphData chain(int count, int perScope) {
    GraphData data;
    for (int i = 1; i <= count; ++i) {
        const QString scope = perScope > 0 ? QStringLiteral("Default/net/block%1/fc").arg(i / perScope) : QString();
        data.nodes.push_back(node(i, "Add", 0, scope));
        if (i > 1) {
            data.edges.push_back({i - 1, 0, i, 0});
        }
    }
    data.index();
    return data;
}

}  // namespace

TEST(VisibleGraph, FusedKernelIsOneBoxUntilItIsOpened) {
    const VisibleGraph closed = makeVisible(fused(), {});
    ASSERT_EQ(closed.boxes.size(), 3);
    EXPECT_TRUE(closed.boxes[1].expandable);
    EXPECT_EQ(closed.boxes[1].hidden, 3);
    EXPECT_EQ(closed.boxes[1].subtitle, "Add · Mul");
    EXPECT_EQ(closed.boxOf.value(4), 1);
    EXPECT_EQ(closed.edges.size(), 2);

    const VisibleGraph open = makeVisible(fused(), {"node:2"});
    ASSERT_EQ(open.boxes.size(), 6);
    EXPECT_TRUE(open.boxes[1].expanded);
    EXPECT_EQ(open.boxes[open.boxOf.value(4)].parent, 1);
}

TEST(VisibleGraph, OpenedKernelIsEnteredAtItsParameterAndLeftAtItsEnd) {
    const VisibleGraph open = makeVisible(fused(), {"node:2"});
    const int x = open.boxOf.value(1), parameter = open.boxOf.value(3), last = open.boxOf.value(5),
              sink = open.boxOf.value(6);
    bool enters = false, leaves = false;
    for (const auto& edge : open.edges) {
        enters |= edge.source == x && edge.target == parameter;
        leaves |= edge.source == last && edge.target == sink;
    }
    EXPECT_TRUE(enters);
    EXPECT_TRUE(leaves);
}

TEST(VisibleGraph, EdgesCarryDtypeAndShape) {
    const VisibleGraph closed = makeVisible(fused(), {});
    EXPECT_EQ(closed.edges.front().type, "Float32 (2, 3)");
}

TEST(VisibleGraph, LargeStageIsGroupedByScope) {
    const GraphData data = chain(6000, 100);
    const VisibleGraph visible = makeVisible(data, {});
    EXPECT_TRUE(visible.grouped);
    EXPECT_LE(visible.boxes.size(), kBoxLimit);
    EXPECT_EQ(visible.boxOf.size(), 6000);
    const VisibleBox& group = visible.boxes.front();
    ASSERT_TRUE(group.expandable);
    const VisibleGraph open = makeVisible(data, {group.key});
    EXPECT_GT(open.boxes.size(), visible.boxes.size());
}

TEST(VisibleGraph, LargeStageWithoutScopesIsGroupedByPosition) {
    const VisibleGraph visible = makeVisible(chain(5000, 0), {});
    EXPECT_TRUE(visible.grouped);
    EXPECT_LE(visible.boxes.size(), kBoxLimit);
    EXPECT_EQ(visible.boxOf.size(), 5000);
}

TEST(VisibleGraph, EveryNodeCanBeReached) {
    const GraphData data = chain(6000, 100);
    const QSet<QString> keys = keysAround(data, {}, 4321);
    const VisibleGraph visible = makeVisible(data, keys);
    EXPECT_EQ(visible.boxes[visible.boxOf.value(4321)].node, 4321);
}

TEST(VisibleGraph, CycleOfParentsEndsNowhere) {
    GraphData data;
    data.nodes = {node(1, "A", 2), node(2, "B", 1), node(3, "C")};
    data.index();
    const VisibleGraph visible = makeVisible(data, {"node:1", "node:2"});
    EXPECT_EQ(visible.boxes.size(), 1);
}

TEST(Layout, PlacesEveryBoxAndRoutesEveryEdge) {
    const GraphLayout layout = layOut(makeVisible(fused(), {"node:2"}));
    ASSERT_EQ(layout.boxes.size(), 6);
    for (const QRectF& box : layout.boxes) {
        EXPECT_GT(box.width(), 0);
        EXPECT_GT(box.height(), 0);
        EXPECT_TRUE(layout.bounds.contains(box));
    }
    for (const auto& edge : layout.edges) {
        EXPECT_FALSE(edge.isEmpty());
    }
    // Members lie inside the frame of their kernel, sources above their targets.
    const VisibleGraph& graph = layout.graph;
    EXPECT_TRUE(layout.boxes[1].contains(layout.boxes[graph.boxOf.value(4)]));
    EXPECT_LT(layout.boxes[graph.boxOf.value(1)].center().y(), layout.boxes[graph.boxOf.value(6)].center().y());
}

TEST(Layout, EmptyGraphIsEmpty) { EXPECT_TRUE(layOut({}).boxes.isEmpty()); }

}  // namespace fusescope::gui
