// Which rows a graph snapshot becomes.
#include "profiler/write/graph_writer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "profiler/query/graphs.hpp"
#include "profiler/query/kernels.hpp"
#include "profiler/query/origins.hpp"
#include "profiler/query/stage_graph.hpp"
#include "profiler/write/recorder.hpp"
#include "tests/profiler/sample_profile.hpp"

namespace fusescope {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

struct N {
    NodeId id;
    std::vector<NodeId> inputs;
    std::vector<NodeId> origins;
    bool shared = false;
    NodeId parent = 0;
};

StageSnapshot stage(const std::vector<N>& nodes) {
    StageSnapshot made;
    made.pass = "pass";
    made.text = "text" + std::to_string(nodes.size());
    for (const N& n : nodes) {
        NodeSnapshot& node = made.nodes.emplace_back();
        node.id = n.id;
        node.name = "n" + std::to_string(n.id);
        node.op = "Add";
        node.origins = n.origins;
        node.shared = n.shared;
        node.parent = n.parent;
        std::uint32_t input = 0;
        for (NodeId source : n.inputs) made.edges.push_back({source, 0, n.id, input++});
    }
    return made;
}

StageSnapshot unchanged() {
    StageSnapshot made;
    made.changed = false;
    return made;
}

class GraphRows : public ::testing::Test {
 protected:
    /// Records one graph of these stages and opens the profile.
    Database record(std::vector<StageSnapshot> stages, std::vector<KernelSnapshot> kernels = {}) {
        auto graph = std::make_shared<GraphSnapshot>();
        graph->id = 1;
        graph->stages = std::move(stages);
        graph->kernels = std::move(kernels);
        std::string path = folder / "graph.fscope";
        DatabaseRecorder recorder(path, {});
        recorder.graph(graph);
        EXPECT_TRUE(recorder.finish("ok", 0)) << recorder.error();
        return Database::open_readonly(path);
    }
    static std::int64_t stage_id(Database& db, int ordinal) {
        return query::stages(db, 1).at(static_cast<std::size_t>(ordinal)).id;
    }
    static std::multiset<std::string> names(const query::StageGraph& graph) {
        std::multiset<std::string> all;
        for (const query::Node& node : graph.nodes) all.insert(node.name);
        return all;
    }

    testing::TemporaryFolder folder;
};

TEST_F(GraphRows, OneStageIsFirstAndLastAtOnce) {
    Database db = record({stage({{1, {}, {}}, {2, {1}, {}}})});
    EXPECT_EQ(db.integer("SELECT count(*) FROM node"), 2);
    EXPECT_THAT(query::stage_graph(db, stage_id(db, 0)).edges, SizeIs(1));
    EXPECT_THAT(query::captured_nodes(db, 2), ElementsAre(2));
    EXPECT_THAT(query::final_nodes(db, 2), ElementsAre(2));
}

TEST_F(GraphRows, ALastStageThatChangedNothingIsStillWhole) {
    Database db = record({stage({{1, {}, {}}, {2, {1}, {}}}), unchanged(), unchanged()});
    EXPECT_EQ(db.integer("SELECT count(*) FROM node WHERE stage_id = 3"), 2);
    EXPECT_EQ(db.integer("SELECT count(*) FROM edge WHERE stage_id = 3"), 1);
    EXPECT_EQ(db.integer("SELECT count(*) FROM node WHERE stage_id = 2"), 0);
    EXPECT_EQ(db.integer("SELECT text = 'text2' FROM stage WHERE id = 3"), 1);
    // The row that op events name is that of the graph that ran.
    EXPECT_EQ(db.integer("SELECT stage_id FROM node WHERE id = 2"), 3);
    EXPECT_THAT(query::captured_nodes(db, 2), SizeIs(1));
    EXPECT_EQ(query::node(db, query::captured_nodes(db, 2)[0])->name, "n2");
}

TEST_F(GraphRows, ASharedNodeLivesThroughStagesInOneRow) {
    std::vector<N> second = {{1, {}, {}, true}, {2, {1}, {}, true}, {13, {2}, {3}}};
    std::vector<N> third = {{1, {}, {}, true}, {2, {1}, {}, true}, {23, {2}, {13}}};
    Database db = record({stage({{1, {}, {}}, {2, {1}, {}}, {3, {2}, {}}}), stage(second), stage(third), stage(third)});
    // Stage 0 has 3, stage 1 and 2 one new node each, the last stage all 3 again.
    EXPECT_EQ(db.integer("SELECT count(*) FROM node"), 8);
    for (int ordinal = 0; ordinal < 4; ++ordinal) {
        query::StageGraph graph = query::stage_graph(db, stage_id(db, ordinal));
        EXPECT_THAT(graph.nodes, SizeIs(3)) << ordinal;
        EXPECT_THAT(graph.edges, SizeIs(2)) << ordinal;
    }
    EXPECT_EQ(names(query::stage_graph(db, stage_id(db, 1))), (std::multiset<std::string>{"n1", "n2", "n13"}));
    auto between = query::origins_between(db, stage_id(db, 3), stage_id(db, 1));
    EXPECT_THAT(between.at(23), ElementsAre(13));
    EXPECT_THAT(query::captured_nodes(db, 23), ElementsAre(3));
    EXPECT_THAT(query::counterparts(db, {3}, stage_id(db, 3)), ElementsAre(23));
}

TEST_F(GraphRows, ANodeThatClaimsToBeSharedWithOtherInputsIsWrittenAnew) {
    std::vector<N> second = {{1, {}, {}, true}, {2, {}, {}, true}, {3, {2}, {}, true}};  // 3 took 1 before
    Database db = record({stage({{1, {}, {}}, {2, {}, {}}, {3, {1}, {}}}), stage(second), stage({{9, {}, {1, 2, 3}}})});
    query::StageGraph graph = query::stage_graph(db, stage_id(db, 1));
    ASSERT_THAT(graph.nodes, SizeIs(3));
    ASSERT_THAT(graph.edges, SizeIs(1));
    EXPECT_EQ(query::node(db, graph.edges[0].source)->name, "n2");
    graph = query::stage_graph(db, stage_id(db, 0));
    ASSERT_THAT(graph.edges, SizeIs(1));
    EXPECT_EQ(query::node(db, graph.edges[0].source)->name, "n1");
    EXPECT_THAT(query::captured_nodes(db, 9), SizeIs(3));
}

TEST_F(GraphRows, DropsNameTheNodeOfTheStageBefore) {
    StageSnapshot second = stage({{2, {}, {}, true}});
    second.drops = {{1, "dead"}, {77, "never there"}};
    Database db = record({stage({{1, {}, {}}, {2, {}, {}}}), second});
    std::vector<query::Drop> drops = query::drops(db, stage_id(db, 1));
    ASSERT_THAT(drops, SizeIs(1));
    EXPECT_EQ(drops[0].name, "n1");
    EXPECT_EQ(drops[0].reason, "dead");
}

TEST_F(GraphRows, EdgesAndOriginsToNowhereAreLeftOut) {
    Database db = record({stage({{1, {}, {}}}), stage({{2, {50}, {1, 60}}})});
    EXPECT_EQ(db.integer("SELECT count(*) FROM edge"), 0);
    EXPECT_EQ(db.integer("SELECT count(*) FROM origin"), 1);
}

TEST_F(GraphRows, KernelsThatComputeTheSameShareTheirCode) {
    StageSnapshot second = stage({{3, {}, {1}}, {4, {3}, {2}}});
    second.pass = "fuse";
    second.note = "2 × fused";
    const auto text = [](std::string of) { return [of = std::move(of)] { return of; }; };
    Database db = record({stage({{1, {}, {}}, {2, {1}, {}}}), second, unchanged()},
                         {{3, "llvm", text("code")},
                          {3, "asm", text("more")},
                          {4, "llvm", text("code")},
                          {4, "asm", text("")}});  // what cannot be made is left out
    EXPECT_EQ(db.integer("SELECT count(*) FROM kernel_code"), 2);
    const auto code = query::kernel_code(db, 3);
    ASSERT_THAT(code, SizeIs(2));
    EXPECT_EQ(code[0].form, "llvm");
    EXPECT_EQ(code[0].text, "code");
    EXPECT_EQ(code[1].text, "more");
    EXPECT_THAT(query::kernel_code(db, 4), SizeIs(1));
    EXPECT_THAT(query::kernel_code(db, 1), SizeIs(0));
    // The row of the last stage says which pass made the node.
    EXPECT_EQ(query::kernel_birth(db, 4).pass, "fuse");
    EXPECT_EQ(query::kernel_birth(db, 4).rule, "2 × fused");
    EXPECT_EQ(query::kernel_birth(db, 99).pass, "");
}

TEST_F(GraphRows, AnEmptyGraphIsARowToo) {
    Database db = record({});
    EXPECT_THAT(query::graphs(db), SizeIs(1));
    Database one = record({stage({})});
    EXPECT_THAT(query::stages(one, 1), SizeIs(1));
}

}  // namespace
}  // namespace fusescope
