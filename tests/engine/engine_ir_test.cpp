// The IR itself: text and back, damage, the rewriter's promises, the verifier, snapshots.
#include <gtest/gtest.h>

#include <ctime>
#include <random>

#include "engine/ir/equality.hpp"
#include "engine/ir/parser.hpp"
#include "engine/ir/printer.hpp"
#include "engine/ir/rewriter.hpp"
#include "engine/ir/snapshot_builder.hpp"
#include "engine/ir/verifier.hpp"
#include "engine/ops/lang.hpp"
#include "engine/ops/op_ids.hpp"
#include "engine/passes/pass.hpp"
#include "tests/engine/graph_evaluator.hpp"
#include "tests/engine/graph_samples.hpp"

namespace fusescope::testing {
namespace {

using ir::GraphBuilder;
using ir::GraphPtr;
using namespace fusescope::lang;

std::vector<Sample> samples_and_their_final_graphs() {
    std::vector<Sample> all = samples();
    const std::size_t captured = all.size();
    for (std::size_t i = 0; i < captured; ++i) {
        all.push_back({all[i].name + " after all passes", passes::run_pipeline(all[i].graph)});
    }
    return all;
}

// ---- text

TEST(IrText, ReadsBackToAnEqualGraph) {
    const std::vector<Sample> all = samples_and_their_final_graphs();
    EXPECT_GE(all.size(), 50u);
    for (const Sample& s : all) {
        const std::string text = ir::print(*s.graph);
        GraphPtr again;
        ASSERT_NO_THROW(again = ir::parse(text)) << s.name << "\n" << text;
        EXPECT_EQ(ir::difference(*s.graph, *again), "") << s.name << "\n" << text;
        EXPECT_EQ(ir::structural_hash(*s.graph), ir::structural_hash(*again)) << s.name;
        EXPECT_EQ(ir::find_fault(*again), "") << s.name;
        EXPECT_EQ(value_difference(*s.graph, *again), "") << s.name;
    }
}

TEST(IrText, LooksLikeMindSpore) {
    const GraphPtr g = build("scaled_sum", [](GraphBuilder& b) -> std::vector<Tensor> {
        const Tensor a = b.input("a", DType::Float32, {2, 2}), c = b.input("b", DType::Float32, {2, 2});
        return {(a + c) * 2.0};
    });
    ir::PrintOptions options;
    options.frame = [](FrameId) { return std::optional<ir::SourceLine>({"demo.py", 8, "    s = ops.add(a, b)"}); };
    EXPECT_EQ(ir::print(*g, options), R"(# IR entry: @scaled_sum_1
# Total subgraphs: 1

# Total params: 2
# Params:
%para1_a: <Tensor[Float32], (2, 2)>
%para2_b: <Tensor[Float32], (2, 2)>

Node counting information:
Total number of nodes: 5
Total number of cnodes: 2

subgraph attr:
subgraph instance: scaled_sum_1
# 
subgraph @scaled_sum_1() {
  %0(CNode_1) = Add(%para1_a, %para2_b)
      : (<Tensor[Float32], (2, 2)>, <Tensor[Float32], (2, 2)>) -> (<Tensor[Float32], (2, 2)>)
      # Fullname with scope: (Default/Add-op0)
  %1(CNode_2) = Mul(%0, Tensor(shape=[], dtype=Float32, value=2))
      : (<Tensor[Float32], (2, 2)>, <Tensor[Float32], ()>) -> (<Tensor[Float32], (2, 2)>)
      # Fullname with scope: (Default/Mul-op0)
  Return(%1)
      : (<Tensor[Float32], (2, 2)>)
}


)");
}

TEST(IrText, ShowsAFusedNodeAsACallOfItsBody) {
    const GraphPtr g = passes::run_pass("fuse-elementwise", samples()[0].graph);
    const std::string text = ir::print(*g);
    EXPECT_NE(text.find("= call @Add_Mul_Sub_ReLU_Mul_fusion_2(%para1_u, %para2_v)"), std::string::npos) << text;
    EXPECT_NE(text.find("graph_kernel: Add_Mul_Sub_ReLU_Mul_fusion\nkernel: elementwise\n"), std::string::npos) << text;
    EXPECT_NE(text.find("# Fullname with scope: (Default/GraphKernel_Add_Mul_Sub_ReLU_Mul_fusion-op0)"),
              std::string::npos);
}

TEST(IrText, IsTheSameForEqualGraphs) {
    ir::PrintOptions bare;
    bare.scopes = false;  // which text does not bring back
    for (const Sample& s : samples()) {
        EXPECT_EQ(ir::print(*s.graph, bare), ir::print(*ir::parse(ir::print(*s.graph)), bare)) << s.name;
    }
}

TEST(IrText, KeepsEveryBitOfConstantsAndAttributes) {
    Tensor odd = Tensor::empty(DType::Float16, {3});
    const std::uint16_t bits[3] = {0x7e01, 0x8000, 0x0001};
    std::memcpy(odd.impl()->raw(), bits, 6);
    double nan;
    const std::uint64_t payload = 0x7ff8000000000123ull;
    std::memcpy(&nan, &payload, 8);
    const GraphPtr g = build("bits", [&](GraphBuilder& b) -> std::vector<Tensor> {
        const Tensor x = b.input("x", DType::Float16, {3});
        const Tensor filled = apply1(op_row(op::full), {}, {Ints{3}, nan, DType::Float16});
        const Tensor zero = apply1(op_row(op::full), {}, {Ints{3}, -0.0, DType::Float16});
        return {x + odd, filled, zero};
    });
    const GraphPtr again = ir::parse(ir::print(*g));
    EXPECT_EQ(ir::difference(*g, *again), "");
    // The comparison itself must see such bits.
    const GraphPtr other = build("bits", [&](GraphBuilder& b) -> std::vector<Tensor> {
        const Tensor x = b.input("x", DType::Float16, {3});
        const Tensor filled = apply1(op_row(op::full), {}, {Ints{3}, nan, DType::Float16});
        const Tensor zero = apply1(op_row(op::full), {}, {Ints{3}, 0.0, DType::Float16});
        return {x + odd, filled, zero};
    });
    EXPECT_NE(ir::difference(*g, *other), "");
}

TEST(IrText, SaysWhereItIsWrong) {
    const std::string good = ir::print(*samples()[0].graph);
    auto error = [&](const std::string& from, const std::string& to) -> std::string {
        std::string text = good;
        const std::size_t at = text.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        text.replace(at, from.size(), to);
        try {
            ir::parse(text);
        } catch (const ir::ParseError& e) {
            EXPECT_GE(e.line(), 1);
            EXPECT_GE(e.column(), 1);
            return e.what();
        }
        return "accepted";
    };
    EXPECT_NE(error("= Add(", "= Ad(").find("line 17, column 3: there is no op named Ad"), std::string::npos)
        << error("= Add(", "= Ad(");
    EXPECT_NE(error("Mul(%0,", "Mul(%7,").find("%7 is not made before this node"), std::string::npos);
    EXPECT_NE(error("-> (<Tensor[Float32], (33)>)", "-> (<Tensor[Float32], (34)>)").find("expected (Float32[33])"),
              std::string::npos)
        << error("-> (<Tensor[Float32], (33)>)", "-> (<Tensor[Float32], (34)>)");
    EXPECT_NE(error("}\n", "").find("or } at the end of the subgraph"), std::string::npos);
    EXPECT_NE(error("value=2", "value=[...]").find("left out"), std::string::npos);
    EXPECT_NE(error("# IR entry: @chain_1", "# IR").find("no line"), std::string::npos);
}

TEST(IrText, CutAnywhereIsAnErrorOrTheWholeGraph) {
    int cuts = 0;
    for (const Sample& s : samples()) {
        if (s.name.starts_with("random")) continue;
        const GraphPtr g = passes::run_pipeline(s.graph);
        const std::string text = ir::print(*g);
        for (std::size_t n = 0; n < text.size(); ++n, ++cuts) {
            try {
                const GraphPtr part = ir::parse(std::string_view(text).substr(0, n));
                EXPECT_EQ(ir::difference(*g, *part), "") << s.name << " cut at " << n;
            } catch (const ir::ParseError& e) {
                EXPECT_GE(e.line(), 0);
            }
        }
    }
    EXPECT_GE(cuts, 20000);
}

TEST(IrText, DamagedAtRandomNeverCrashes) {
    std::mt19937 random(7);
    std::vector<std::string> texts;
    for (const Sample& s : samples()) texts.push_back(ir::print(*passes::run_pipeline(s.graph)));
    int refused = 0;
    for (int round = 0; round < 6000; ++round) {
        std::string text = texts[random() % texts.size()];
        for (unsigned k = 0; k <= random() % 3; ++k) {
            const std::size_t at = random() % text.size();
            switch (random() % 5) {
                case 0:
                    text[at] = static_cast<char>(random() % 256);
                    break;
                case 1:
                    text.erase(at, 1 + random() % 30);
                    break;
                case 2:
                    text.insert(at, text.substr(random() % text.size(), random() % 40));
                    break;
                case 3:
                    text.insert(
                        at, std::to_string(static_cast<std::int64_t>(static_cast<std::uint64_t>(random()) << 32) - 77));
                    break;
                default: {
                    const char* bits[] = {"%para1_x", "@chain_1", "(",    ")",
                                          "[[[",      "-1",       "None", "Tensor(shape=[9999999999]"};
                    text.insert(at, bits[random() % 8]);
                }
            }
            if (text.empty()) text = " ";
        }
        try {
            const GraphPtr g = ir::parse(text);
            EXPECT_EQ(ir::find_fault(*g), "");
        } catch (const ir::ParseError&) {
            ++refused;
        }
    }
    EXPECT_GE(refused, 3000);
}

// ---- rewriter

GraphPtr three_ops() {
    return build("g", [](GraphBuilder& b) -> std::vector<Tensor> {
        const Tensor x = b.input("x", DType::Float32, {4});
        return {neg(exp(x) * 2.0), sqrt(x)};
    });
}
ir::NodePtr named(const ir::Graph& g, std::string_view op) {
    for (const ir::NodePtr& n : g.nodes) {
        if (n->op_name() == op) return n;
    }
    return nullptr;
}

TEST(Rewriter, SharesWhatNoChangeReaches) {
    const GraphPtr g = three_ops();
    ir::Rewriter rw(g);
    const ir::NodePtr mul = named(*g, "Mul");
    ir::NodeSpec spec;
    spec.op = &op_row(op::add);
    spec.inputs = {mul->inputs[0], mul->inputs[0]};
    const ir::NodePtr twice = rw.create(std::move(spec), mul);
    rw.replace(mul, {twice, 0}, "doubled");
    const GraphPtr after = rw.finish();
    EXPECT_EQ(ir::find_fault(*after), "");
    EXPECT_EQ(named(*after, "Exp"), named(*g, "Exp"));
    EXPECT_EQ(named(*after, "Sqrt"), named(*g, "Sqrt"));
    EXPECT_NE(named(*after, "Neg"), named(*g, "Neg"));
    EXPECT_EQ(named(*after, "Neg")->origins, std::vector<ir::NodePtr>{named(*g, "Neg")});
    EXPECT_EQ(named(*after, "Add")->origins, std::vector<ir::NodePtr>{mul});
}

TEST(Rewriter, GivesTheOldGraphWhenNothingChanged) {
    const GraphPtr g = three_ops();
    EXPECT_EQ(ir::Rewriter(g).finish(), g);
}

TEST(Rewriter, RefusesToCreateWithoutOrigins) {
    const GraphPtr g = three_ops();
    ir::Rewriter rw(g);
    EXPECT_THROW(rw.create({}, std::span<const ir::NodePtr>()), std::logic_error);
}

TEST(Rewriter, RefusesACycleAndAReaderLeftWithout) {
    const GraphPtr g = three_ops();
    {
        ir::Rewriter rw(g);
        rw.drop(named(*g, "Exp"), "test");
        EXPECT_THROW(rw.finish(), std::logic_error);
    }
    {
        ir::Rewriter rw(g);
        const ir::NodePtr e = named(*g, "Exp"), n = named(*g, "Neg");
        ir::NodeSpec spec;
        spec.op = &op_row(op::add);
        spec.inputs = {{n, 0}, {n, 0}};
        rw.replace(e, {rw.create(std::move(spec), e), 0}, "test");
        EXPECT_THROW(rw.finish(), std::logic_error);
    }
    {
        ir::Rewriter rw(g);
        const ir::NodePtr e = named(*g, "Exp");
        rw.drop(named(*g, "Sqrt"), "test");
        EXPECT_THROW(rw.drop(named(*g, "Sqrt"), "again"), std::logic_error);
        EXPECT_THROW(rw.replace(e, std::vector<ir::Value>{}, "test"), std::logic_error);
    }
}

TEST(Rewriter, TurnsOriginsThatWouldGoToAnInputIntoADrop) {
    const GraphPtr g = three_ops();
    ir::Rewriter rw(g);
    rw.replace(named(*g, "Exp"), {g->inputs[0], 0}, "exp is nothing");
    const GraphPtr after = rw.finish();
    EXPECT_EQ(after->inputs, g->inputs);
    ASSERT_EQ(rw.drops().size(), 1u);
    EXPECT_EQ(rw.drops()[0].reason, "exp is nothing: readers use x");
}

TEST(Graph, OfALongChainDiesWithoutRecursion) {
    GraphPtr g = build("long", [](GraphBuilder& b) -> std::vector<Tensor> {
        Tensor x = b.input("x", DType::Float32, {2});
        for (int k = 0; k < 300000; ++k) x = neg(x);
        return {x};
    });
    const ir::NodePtr last = g->nodes.back();
    g.reset();
    EXPECT_EQ(last->op_name(), "Neg");
}

// ---- verifier

TEST(Verifier, SaysWhatWasExpectedAndWhatWasGot) {
    const GraphPtr g = three_ops();
    auto broken = std::make_shared<ir::Graph>(*g);
    auto bad = std::make_shared<ir::Node>(*named(*g, "Exp"));
    bad->types = {{DType::Float32, {5}}};
    broken->nodes[0] = bad;
    std::string fault = ir::find_fault(*broken);
    EXPECT_NE(fault.find("expected (Float32[4]), got (Float32[5])"), std::string::npos) << fault;
    EXPECT_NE(fault.find("Exp(Float32[4])"), std::string::npos) << fault;

    auto disordered = std::make_shared<ir::Graph>(*g);
    std::reverse(disordered->nodes.begin(), disordered->nodes.end());
    fault = ir::find_fault(*disordered);
    EXPECT_NE(fault.find("made before"), std::string::npos) << fault;
    EXPECT_THROW(ir::verify(*disordered, "pass x"), std::logic_error);
}

TEST(Verifier, ChecksRegions) {
    for (const Sample& s : samples()) {
        if (s.name != "branch" && s.name != "loop") continue;
        for (std::size_t i = 0; i < s.graph->nodes.size(); ++i) {
            if (s.graph->nodes[i]->regions.empty()) continue;
            auto bad = std::make_shared<ir::Node>(*s.graph->nodes[i]);
            bad->regions.pop_back();
            auto g = std::make_shared<ir::Graph>(*s.graph);
            g->nodes[i] = bad;
            EXPECT_NE(ir::find_fault(*g).find("expected 2 regions, got 1"), std::string::npos);
        }
    }
}

// ---- snapshots

TEST(Snapshot, HoldsEveryNodeEdgeAndMemberOnce) {
    for (const Sample& s : samples()) {
        std::vector<StageSnapshot> stages;
        passes::PipelineOptions options;
        options.stages = &stages;
        passes::run_pipeline(s.graph, options);
        std::unordered_map<NodeId, bool> before;
        for (const StageSnapshot& stage : stages) {
            if (!stage.changed) continue;
            std::unordered_map<NodeId, bool> ids;
            for (const NodeSnapshot& n : stage.nodes) {
                EXPECT_TRUE(ids.emplace(n.id, true).second) << s.name << ": " << n.name;
                if (n.shared) {
                    EXPECT_TRUE(before.contains(n.id)) << s.name << ": " << n.name;
                }
                if (stage.pass != "capture" && n.op != "Parameter") {
                    EXPECT_FALSE(n.origins.empty()) << s.name << ", " << stage.pass << ": " << n.name;
                }
                for (NodeId o : n.origins)
                    EXPECT_TRUE(before.contains(o)) << s.name << ", " << stage.pass << ": " << n.name;
            }
            for (const NodeSnapshot& n : stage.nodes) {
                if (n.parent) {
                    EXPECT_TRUE(ids.contains(n.parent));
                }
            }
            for (const EdgeSnapshot& e : stage.edges) {
                EXPECT_TRUE(ids.contains(e.source) && ids.contains(e.target)) << s.name << ", " << stage.pass;
            }
            for (const DropSnapshot& d : stage.drops)
                EXPECT_TRUE(before.contains(d.node)) << s.name << ", " << stage.pass;
            before = std::move(ids);
        }
    }
}

TEST(Snapshot, IsLinearInTheGraph) {
    auto seconds = [](int ops) {
        const GraphPtr g = large_graph(ops);
        const std::clock_t start = std::clock();  // processor time: other work on the machine does not count
        ir::SnapshotBuilder builder;
        builder.add(g, {});
        EXPECT_GE(builder.take()[0].nodes.size(), static_cast<std::size_t>(ops));
        return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    };
    seconds(1000);
    const double small = seconds(10000), large = seconds(100000);
    RecordProperty("ms_100k", std::to_string(large * 1e3));
    EXPECT_LT(large, 10 * small * 3 + 0.1);
}

}  // namespace
}  // namespace fusescope::testing
