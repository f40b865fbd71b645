// The drawing of a graph: downwards, without overlap, and in reasonable time.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <random>

#include "profiler/export/layout.hpp"

namespace layout = fusescope::layout;

namespace {

layout::Drawing boxes(std::size_t count) {
    layout::Drawing drawing;
    drawing.nodes.assign(count, {60, 20});
    return drawing;
}

void expect_no_overlap(const layout::Drawing& drawing) {
    for (std::size_t a = 0; a < drawing.nodes.size(); ++a) {
        for (std::size_t b = a + 1; b < drawing.nodes.size(); ++b) {
            const auto &left = drawing.nodes[a], &right = drawing.nodes[b];
            const bool apart = std::abs(left.x - right.x) >= (left.width + right.width) / 2 - 1e-6 ||
                               std::abs(left.y - right.y) >= (left.height + right.height) / 2 - 1e-6;
            EXPECT_TRUE(apart) << a << " and " << b;
        }
    }
}

}  // namespace

TEST(Layout, EdgesRunDownwardsAndInputsSitAboveTheirUser) {
    layout::Drawing drawing = boxes(5);
    drawing.edges = {{0, 1, {}}, {1, 2, {}}, {2, 3, {}}, {4, 3, {}}};  // 4 is used by the last one only
    layout::arrange(drawing);
    for (const auto& edge : drawing.edges) EXPECT_LT(drawing.nodes[edge.from].y, drawing.nodes[edge.to].y);
    EXPECT_EQ(drawing.nodes[4].rank, 2);
    expect_no_overlap(drawing);
}

TEST(Layout, PutsParallelChainsSideBySideWithoutCrossing) {
    layout::Drawing drawing = boxes(6);
    drawing.edges = {{0, 4, {}}, {1, 3, {}}, {3, 5, {}}, {4, 5, {}}, {2, 3, {}}};
    layout::arrange(drawing);
    expect_no_overlap(drawing);
    EXPECT_LT((drawing.nodes[0].x - drawing.nodes[1].x) * (drawing.nodes[3].x - drawing.nodes[4].x), 0);
}

TEST(Layout, DrawsCyclesAndSelfLoops) {
    layout::Drawing drawing = boxes(3);
    drawing.edges = {{0, 1, {}}, {1, 2, {}}, {2, 0, {}}, {1, 1, {}}};
    layout::arrange(drawing);
    for (const auto& edge : drawing.edges) EXPECT_GE(edge.points.size(), 2u);
    expect_no_overlap(drawing);
}

TEST(Layout, EmptyAndSingle) {
    layout::Drawing nothing;
    layout::arrange(nothing);
    layout::Drawing one = boxes(1);
    layout::arrange(one);
    EXPECT_DOUBLE_EQ(one.width, 60);
    EXPECT_DOUBLE_EQ(one.height, 20);
}

TEST(Layout, StaysInsideItsSizeAndDoesNotOverlapOnRandomGraphs) {
    std::mt19937 random(3);
    for (int round = 0; round < 20; ++round) {
        layout::Drawing drawing = boxes(60);
        for (std::size_t n = 1; n < 60; ++n) {
            for (int k = 0; k < 2; ++k) drawing.edges.push_back({random() % n, n, {}});
        }
        layout::arrange(drawing);
        expect_no_overlap(drawing);
        for (const auto& node : drawing.nodes) {
            EXPECT_GE(node.x - node.width / 2, -1e-6);
            EXPECT_LE(node.x + node.width / 2, drawing.width + 1e-6);
        }
    }
}

TEST(Layout, TenThousandNodesTakeSeconds) {
    std::mt19937 random(5);
    layout::Drawing drawing = boxes(10'000);
    for (std::size_t n = 1; n < 10'000; ++n) {
        drawing.edges.push_back({n - 1 - random() % std::min<std::size_t>(n, 12), n, {}});
        drawing.edges.push_back({random() % n, n, {}});
    }
    const auto start = std::chrono::steady_clock::now();
    layout::arrange(drawing);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}
