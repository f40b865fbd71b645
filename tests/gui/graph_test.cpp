// Scopes, folding and layout of graphs.
#include <gtest/gtest.h>

#include "gui/graph/follow.hpp"
#include "gui/graph/layout.hpp"
#include "gui/graph/visible_graph.hpp"

namespace fusescope::gui {

namespace {

GraphNode node(qint64 id, const QString& op, qint64 parent = 0, const QString& scope = {}, const QString& phase = {}) {
    GraphNode n;
    n.id = id;
    n.name = QStringLiteral("n%1").arg(id);
    n.op = op;
    n.dtype = "Float32";
    n.shape = "(2, 3)";
    n.scope = scope;
    n.parent = parent;
    n.phase = phase;
    return n;
}

std::shared_ptr<GraphData> made(QVector<GraphNode> nodes, QVector<GraphEdge> edges) {
    auto data = std::make_shared<GraphData>();
    data->stage = 1;
    data->nodes = std::move(nodes);
    data->edges = std::move(edges);
    data->index();
    return data;
}

// x → Fused{ Parameter p, Add, Mul } → Return
std::shared_ptr<GraphData> fused() {
    return made({node(1, "Parameter"), node(2, "Fused"), node(3, "Parameter", 2), node(4, "Add", 2), node(5, "Mul", 2),
                 node(6, "Return")},
                {{1, 0, 2, 0}, {2, 0, 6, 0}, {3, 0, 4, 0}, {4, 0, 5, 0}});
}

std::shared_ptr<GraphData> chain(int count, int perScope) {
    QVector<GraphNode> nodes;
    QVector<GraphEdge> edges;
    for (int i = 1; i <= count; ++i) {
        const QString scope = perScope > 0 ? QStringLiteral("Default/net/block%1/fc").arg(i / perScope) : QString();
        nodes.push_back(node(i, "Add", 0, scope));
        if (i > 1) {
            edges.push_back({i - 1, 0, i, 0});
        }
    }
    return made(nodes, edges);
}

// Forward a → b → c, backward c' → b' → a' that reads a and b again, and an optimizer that reads w as a does.
std::shared_ptr<GraphData> training() {
    QVector<GraphNode> nodes{node(1, "Parameter")};
    QVector<GraphEdge> edges;
    for (int i = 0; i < 12; ++i) {
        nodes.push_back(node(10 + i, "MatMul", 0, QStringLiteral("Default/l%1-Dense").arg(i / 3), "forward"));
        edges.push_back({i == 0 ? 1 : 9 + i, 0, 10 + i, 0});
    }
    for (int i = 0; i < 12; ++i) {
        nodes.push_back(node(30 + i, "Mul", 0, QStringLiteral("Default/l%1-Dense").arg(3 - i / 3), "backward"));
        edges.push_back({i == 0 ? 21 : 29 + i, 0, 30 + i, 0});
        edges.push_back({21 - i, 0, 30 + i, 1});
    }
    nodes.push_back(node(50, "Sub", 0, "Default", "optimizer"));
    nodes.push_back(node(51, "Sub", 0, "Default", "optimizer"));
    edges += {{41, 0, 50, 0}, {1, 0, 50, 1}, {50, 0, 51, 0}};
    nodes.push_back(node(60, "Return"));
    edges.push_back({51, 0, 60, 0});
    return made(nodes, edges);
}

VisibleGraph visibleOf(const std::shared_ptr<GraphData>& data, const QSet<QString>& open = {},
                       const TreeOptions& options = {}, int limit = kBoxLimit) {
    return makeVisible(makeScopeTree(data, options, limit), open);
}

int atTop(const VisibleGraph& graph) {
    int count = 0;
    for (const VisibleBox& box : graph.boxes) {
        count += box.parent < 0;
    }
    return count;
}

}  // namespace

TEST(VisibleGraph, FusedKernelIsOneBoxUntilItIsOpened) {
    const VisibleGraph closed = visibleOf(fused());
    ASSERT_EQ(closed.boxes.size(), 3);
    EXPECT_TRUE(closed.boxes[1].expandable);
    EXPECT_EQ(closed.boxes[1].hidden, 3);
    EXPECT_EQ(closed.boxes[1].subtitle, "Add · Mul");
    EXPECT_EQ(closed.boxOf(4), 1);
    EXPECT_EQ(closed.edges.size(), 2);

    const VisibleGraph open = visibleOf(fused(), {"node:2"});
    ASSERT_EQ(open.boxes.size(), 6);
    EXPECT_TRUE(open.boxes[1].expanded);
    EXPECT_EQ(open.boxes[open.boxOf(4)].parent, 1);
    // Its frame stands for it in the edges around it.
    EXPECT_EQ(open.edges.size(), 4);
}

TEST(VisibleGraph, EdgesCarryDtypeAndShape) { EXPECT_EQ(visibleOf(fused()).edges.front().type, "Float32 (2, 3)"); }

TEST(VisibleGraph, EdgesJoinBoxesOfOneLevelAndLinksTheRest) {
    const VisibleGraph open = visibleOf(training(), {"scope:forward", "scope:backward"});
    for (const VisibleEdge& edge : open.edges) {
        EXPECT_EQ(open.boxes[edge.source].parent, open.boxes[edge.target].parent);
    }
    EXPECT_GE(open.links.size(), 5);
    int in = 0, out = 0;
    for (const VisibleBox& box : open.boxes) {
        in += box.linksIn;
        out += box.linksOut;
    }
    EXPECT_EQ(in, open.links.size());
    EXPECT_EQ(out, open.links.size());
}

TEST(VisibleGraph, EdgesPastManyRanksAreLinksAndNobodyIsLeftAlone) {
    // A chain of 20 whose first node is read by the last as well.
    auto data = chain(20, 0);
    data->edges.push_back({1, 0, 20, 1});
    const VisibleGraph graph = visibleOf(data);
    ASSERT_EQ(graph.links.size(), 1);
    EXPECT_EQ(graph.boxes[graph.links[0].target].node, 20);
    EXPECT_EQ(graph.edges.size(), 19);
    // The only edge between two parts stays, however long.
    data->edges.removeIf([](const GraphEdge& edge) { return edge.source == 1 && edge.target == 2; });
    EXPECT_TRUE(visibleOf(data).links.isEmpty());
}

TEST(ScopeTree, PhasesAreTheOutermostScopesAndWeightsStandWhereTheyAreReadFirst) {
    const VisibleGraph closed = visibleOf(training());
    ASSERT_EQ(atTop(closed), 4);  // forward, backward, optimizer, Return
    EXPECT_EQ(closed.boxes[closed.boxOf(1)].key, "scope:forward");
    EXPECT_EQ(closed.boxes[closed.boxOf(50)].key, "scope:optimizer");
    EXPECT_EQ(closed.boxes[closed.boxOf(60)].parent, -1);
    EXPECT_LE(closed.edges.size(), 5);
}

TEST(ScopeTree, ScopesThatSayNothingAreLeftOut) {
    const auto data = made({node(1, "Add", 0, "Default/a/b/c"), node(2, "Mul", 0, "Default/a/b/c"),
                            node(3, "Sub", 0, "Default/d"), node(4, "Return")},
                           {{1, 0, 2, 0}, {2, 0, 3, 0}, {3, 0, 4, 0}});
    const auto tree = makeScopeTree(data);
    ASSERT_EQ(tree->roots.size(), 3);
    EXPECT_EQ(tree->items[tree->roots[0]].title, "a / b / c");
    EXPECT_EQ(tree->items[tree->roots[1]].node, 3);
}

TEST(ScopeTree, GroupsByFunctionWhenAsked) {
    auto data = chain(6, 0);
    for (int i = 0; i < 6; ++i) {
        data->nodes[i].calls = i < 3 ? "train/forward" : "train/update";
    }
    const auto tree = makeScopeTree(data, {Grouping::Functions, false, false});
    EXPECT_TRUE(tree->byKey.contains("scope:train/forward"));
    EXPECT_TRUE(tree->byKey.contains("scope:train/update"));
    EXPECT_EQ(makeScopeTree(data, {Grouping::None, false, false})->roots.size(), 6);
}

TEST(ScopeTree, HiddenConstantsAreToldWithTheirReaders) {
    auto data = made({node(1, "Constant"), node(2, "Parameter"), node(3, "Mul"), node(4, "Return")},
                     {{2, 0, 3, 0}, {1, 0, 3, 1}, {3, 0, 4, 0}});
    data->nodes[0].value = "Tensor(shape=[], dtype=Float32, value=0.9)";
    const VisibleGraph graph = visibleOf(data, {}, {Grouping::Cells, true, true});
    EXPECT_EQ(graph.boxes.size(), 2);
    EXPECT_EQ(graph.tree->hiddenConstants, 1);
    EXPECT_EQ(graph.tree->hiddenParameters, 1);
    EXPECT_EQ(graph.boxOf(1), -1);
    EXPECT_EQ(graph.boxes[graph.boxOf(3)].subtitle, "Float32 (2, 3) · 0.9");
}

TEST(ScopeTree, NoLevelIsLongerThanTheLimit) {
    for (const int perScope : {0, 3, 100}) {
        const auto tree = makeScopeTree(chain(6000, perScope), {}, 50);
        int nodes = 0;
        EXPECT_LE(tree->roots.size(), 50);
        for (const TreeItem& item : tree->items) {
            EXPECT_LE(item.children.size(), 50) << item.key.toStdString();
            nodes += item.node != 0;
        }
        EXPECT_EQ(nodes, 6000);
        EXPECT_EQ(tree->itemOf.size(), 6000);
        EXPECT_EQ(tree->byKey.size(), tree->items.size()) << "keys are unique";
    }
}

TEST(VisibleGraph, EveryNodeCanBeReached) {
    const auto tree = makeScopeTree(chain(6000, 100));
    const QSet<QString> keys = keysAround(*tree, {}, 4321);
    const VisibleGraph visible = makeVisible(tree, keys);
    EXPECT_EQ(visible.boxes[visible.boxOf(4321)].node, 4321);
}

TEST(VisibleGraph, StartsWithAsManyOpenScopesAsCanBeRead) {
    const auto small = makeScopeTree(training());
    EXPECT_TRUE(startKeys(*small).contains("scope:forward"));
    const auto large = makeScopeTree(chain(6000, 100));
    EXPECT_LE(makeVisible(large, startKeys(*large)).boxes.size(), 120);
}

TEST(VisibleGraph, CycleOfParentsEndsNowhere) {
    const auto data = made({node(1, "A", 2), node(2, "B", 1), node(3, "C")}, {});
    EXPECT_EQ(visibleOf(data, {"node:1", "node:2"}).boxes.size(), 1);
}

TEST(VisibleGraph, ScopesThatFeedEachOtherEnd) {
    const auto data = made({node(1, "A", 0, "Default/p"), node(2, "B", 0, "Default/q"), node(3, "C", 0, "Default/p"),
                            node(4, "D", 0, "Default/q")},
                           {{1, 0, 2, 0}, {2, 0, 3, 0}, {3, 0, 4, 0}});
    const VisibleGraph graph = visibleOf(data);
    EXPECT_EQ(graph.boxes.size(), 2);
    EXPECT_EQ(graph.edges.size(), 2);
    EXPECT_EQ(layOut(graph).boxes.size(), 2);
}

TEST(Follow, GoesUpAndDownAlsoThroughKernels) {
    const auto data = fused();
    EXPECT_EQ(followed(*data, 4, Follow::Up), QSet<qint64>({4, 3, 2, 1}));
    EXPECT_EQ(followed(*data, 4, Follow::Down), QSet<qint64>({4, 5, 2, 6}));
    EXPECT_TRUE(followed(*data, 4, Follow::None).isEmpty());
    EXPECT_EQ(neighbours(*data, 2, true), QVector<qint64>{1});
    EXPECT_EQ(neighbours(*data, 3, true), QVector<qint64>{1}) << "outside, when there is nothing inside";
}

TEST(Layout, PlacesEveryBoxAndRoutesEveryEdge) {
    const GraphLayout layout = layOut(visibleOf(fused(), {"node:2"}));
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
    EXPECT_TRUE(layout.boxes[1].contains(layout.boxes[graph.boxOf(4)]));
    EXPECT_LT(layout.boxes[graph.boxOf(1)].center().y(), layout.boxes[graph.boxOf(6)].center().y());
}

TEST(Layout, BoxesOfOneLevelDoNotOverlap) {
    const auto tree = makeScopeTree(training());
    QSet<QString> all;
    for (const TreeItem& item : tree->items) {
        all.insert(item.key);
    }
    const GraphLayout layout = layOut(makeVisible(tree, all));
    int compared = 0;
    for (int a = 0; a < layout.boxes.size(); ++a) {
        for (int b = a + 1; b < layout.boxes.size(); ++b) {
            if (layout.graph.boxes[a].parent == layout.graph.boxes[b].parent) {
                EXPECT_FALSE(layout.boxes[a].intersects(layout.boxes[b])) << a << " " << b;
                ++compared;
            }
        }
        if (const int parent = layout.graph.boxes[a].parent; parent >= 0) {
            EXPECT_TRUE(layout.boxes[parent].contains(layout.boxes[a])) << a;
        }
    }
    EXPECT_GT(compared, 20);
}

TEST(Layout, OpeningAScopeLaysOutThatScopeAndWhatIsAroundIt) {
    const auto tree = makeScopeTree(training());
    LayoutCache cache;
    const GraphLayout closed = layOut(makeVisible(tree, {"scope:forward"}), cache);
    EXPECT_EQ(closed.levelsLaidOut, 2);
    EXPECT_EQ(layOut(makeVisible(tree, {"scope:forward", "scope:backward"}), cache).levelsLaidOut, 2);
    EXPECT_EQ(layOut(makeVisible(tree, {"scope:forward"}), cache).levelsLaidOut, 0) << "closing is known";
}

TEST(Layout, EmptyGraphIsEmpty) { EXPECT_TRUE(layOut(visibleOf(made({}, {}))).boxes.isEmpty()); }

}  // namespace fusescope::gui
