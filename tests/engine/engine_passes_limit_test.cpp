// Passes that are stopped after some of their rewrites, and where each value of a graph went.
#include <gtest/gtest.h>

#include <map>

#include "engine/ir/printer.hpp"
#include "engine/ir/verifier.hpp"
#include "engine/passes/pass.hpp"
#include "fusescope/error.hpp"
#include "tests/engine/graph_evaluator.hpp"
#include "tests/engine/graph_samples.hpp"

namespace fusescope::testing {
namespace {

using ir::GraphPtr;

std::vector<StageSnapshot> stages_of(const GraphPtr& graph, const std::string& spec,
                                     passes::RewriteCounts* counts = nullptr, GraphPtr* last = nullptr) {
    std::vector<StageSnapshot> stages;
    passes::PipelineOptions options;
    options.spec = spec;
    options.verify = true;
    options.stages = &stages;
    options.follow_values = true;
    options.counts = counts;
    const GraphPtr after = passes::run_pipeline(graph, options);
    if (last) *last = after;
    return stages;
}

std::uint64_t rewrites_of(const std::vector<StageSnapshot>& stages, const std::string& pass) {
    std::uint64_t count = 0;
    for (const StageSnapshot& s : stages) count += s.pass == pass ? s.rewritten.size() : 0;
    return count;
}

std::vector<std::string> rewriting_passes() {
    std::vector<std::string> names;
    for (const passes::PassInfo& p : passes::list_passes()) {
        if (p.name != "plan-memory") names.push_back(p.name);
    }
    return names;
}

double tolerance_of(const std::string& pass) {
    for (const passes::PassInfo& p : passes::list_passes()) {
        if (p.name == pass) return p.rounding.empty() ? 0 : 1e-4;
    }
    return 0;
}

std::vector<Sample> many_graphs() {
    std::vector<Sample> graphs = samples();
    for (unsigned seed = 1; seed <= 12; ++seed) {
        graphs.push_back({"random " + std::to_string(seed), random_graph(seed, 30)});
    }
    return graphs;
}

TEST(LimitedPasses, KeepEveryValueWhereverTheyStop) {
    std::map<std::string, int> stopped;
    for (const Sample& s : many_graphs()) {
        for (const std::string& pass : rewriting_passes()) {
            const std::string spec = "-all,+" + pass;
            const std::uint64_t all = rewrites_of(stages_of(s.graph, spec), pass);
            for (std::uint64_t n = 0; n <= all; ++n) {
                GraphPtr last;
                passes::RewriteCounts counts;
                const auto stages = stages_of(s.graph, spec + "=" + std::to_string(n), &counts, &last);
                ASSERT_EQ(rewrites_of(stages, pass), n) << pass << " on " << s.name;
                ASSERT_EQ(counts[pass], n);
                ASSERT_EQ(value_difference(*s.graph, *last, 1, tolerance_of(pass)), "")
                    << pass << "=" << n << " on " << s.name << "\n"
                    << ir::print(*last);
                stopped[pass] += n < all;
            }
        }
    }
    for (const char* pass : {"expand-composites", "simplify", "cse", "fuse-elementwise", "fold-constants"}) {
        EXPECT_GT(stopped[pass], 3) << pass;
    }
}

TEST(LimitedPasses, KeepEveryValueBeforeOtherPasses) {
    for (const Sample& s : many_graphs()) {
        for (const std::string& pass : rewriting_passes()) {
            GraphPtr last;
            stages_of(s.graph, "+" + pass + "=1", nullptr, &last);
            ASSERT_EQ(value_difference(*s.graph, *last, 1, 1e-4), "") << pass << " on " << s.name;
        }
    }
}

TEST(LimitedPasses, CountOverAllGraphsOfARun) {
    passes::RewriteCounts counts;
    const GraphPtr graph = random_graph(3, 40);
    const std::uint64_t all =
        rewrites_of(stages_of(graph, "-all,+simplify,+cse,+fuse-elementwise"), "fuse-elementwise");
    ASSERT_GT(all, 1u);
    const std::string spec = "-all,+simplify,+cse,+fuse-elementwise=" + std::to_string(all + 1);
    EXPECT_EQ(rewrites_of(stages_of(graph, spec, &counts), "fuse-elementwise"), all);
    EXPECT_EQ(rewrites_of(stages_of(graph, spec, &counts), "fuse-elementwise"), 1u);
    EXPECT_EQ(rewrites_of(stages_of(graph, spec, &counts), "fuse-elementwise"), 0u);
}

TEST(LimitedPasses, LimitsAreRead) {
    const passes::PassSwitches switches("-all,+cse=5,+dce");
    EXPECT_EQ(switches.limit("cse"), 5u);
    EXPECT_TRUE(switches.on("cse"));
    EXPECT_FALSE(switches.limit("dce"));
    EXPECT_FALSE(passes::PassSwitches("+cse=5,+cse").limit("cse"));
    for (const char* bad : {"+cse=", "+cse=x", "+cse=-1", "-cse=5", "+all=3", "+plan-memory=1", "+no-such=1"}) {
        EXPECT_THROW(passes::PassSwitches{bad}, UserError) << bad;
    }
}

TEST(FollowedValues, NameNodesThatAreThere) {
    int looked_at = 0;
    for (const Sample& s : many_graphs()) {
        std::map<NodeId, std::size_t> before;
        for (const StageSnapshot& stage : stages_of(s.graph, "+all")) {
            if (!stage.changed) continue;
            std::map<NodeId, std::size_t> now;
            for (const NodeSnapshot& n : stage.nodes) {
                now[n.id] = 1 + static_cast<std::size_t>(std::count(n.shape.begin(), n.shape.end(), ';'));
            }
            for (const SuccessorSnapshot& v : stage.successors) {
                ASSERT_TRUE(before.contains(v.before)) << stage.pass << " on " << s.name;
                ASSERT_TRUE(now.contains(v.after)) << stage.pass << " on " << s.name;
                EXPECT_LT(v.before_output, before[v.before]);
                EXPECT_LT(v.after_output, now[v.after]);
                ++looked_at;
            }
            for (const RewriteSnapshot& r : stage.rewritten) EXPECT_TRUE(before.contains(r.node)) << stage.pass;
            before = std::move(now);
        }
    }
    EXPECT_GT(looked_at, 300);
}

}  // namespace
}  // namespace fusescope::testing
