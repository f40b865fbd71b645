// Queries over the sample recording: what goes in through the Recorder comes out as typed answers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <set>

#include "profiler/query/finding_detail.hpp"
#include "profiler/query/findings.hpp"
#include "profiler/query/frames.hpp"
#include "profiler/query/graphs.hpp"
#include "profiler/query/memory.hpp"
#include "profiler/query/memory_holders.hpp"
#include "profiler/query/op_events.hpp"
#include "profiler/query/op_spread.hpp"
#include "profiler/query/op_times.hpp"
#include "profiler/query/origins.hpp"
#include "profiler/query/output.hpp"
#include "profiler/query/relations.hpp"
#include "profiler/query/runs.hpp"
#include "profiler/query/stage_graph.hpp"
#include "profiler/query/tensors.hpp"
#include "profiler/query/time_tree.hpp"
#include "profiler/query/timeline.hpp"
#include "profiler/query/transfers.hpp"
#include "tests/profiler/sample_profile.hpp"

namespace fusescope {
namespace {

using namespace testing::sample;
using namespace query;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

class Query : public ::testing::Test {
 protected:
    static void SetUpTestSuite() {
        folder_ = new testing::TemporaryFolder;
        path_ = testing::write_sample_profile(folder_->path);
    }
    static void TearDownTestSuite() { delete folder_; }
    std::int64_t stage(int ordinal) { return stages(db, kGraph).at(static_cast<std::size_t>(ordinal)).id; }
    std::int64_t source_id() { return sources(db).at(0).id; }

    static inline testing::TemporaryFolder* folder_ = nullptr;
    static inline std::string path_;
    Database db = Database::open_readonly(path_);
};

TEST_F(Query, FinishedRecordingIsOnePlainFile) {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_->path)) names.insert(entry.path().filename());
    EXPECT_THAT(names, UnorderedElementsAre("train.py", "train.fscope"));
}

TEST_F(Query, RunTellsWhatRanAndHowItEnded) {
    std::vector<query::Run> all = runs(db);
    ASSERT_THAT(all, SizeIs(1));
    EXPECT_THAT(all[0].script, HasSubstr("train.py"));
    EXPECT_THAT(all[0].arguments, ElementsAre("--epochs", "3"));
    EXPECT_EQ(all[0].status, "ok");
    EXPECT_TRUE(all[0].complete());
    EXPECT_EQ(all[0].exit_code, 0);
    EXPECT_GT(all[0].started_unix_ns, 1'600'000'000'000'000'000);
    EXPECT_GE(all[0].ended_ns.value(), all[0].started_ns);
}

TEST_F(Query, CountsEveryRowOfTheSample) {
    Counts c = counts(db);
    EXPECT_EQ(c.op_events, kEagerEvents + kGraphEvents);
    EXPECT_EQ(c.transfers, 7);
    EXPECT_EQ(c.memory_events, 12 + 12 + 30);
    EXPECT_EQ(c.graphs, 1);
    EXPECT_EQ(c.graph_breaks, 1);
    EXPECT_EQ(c.tensors, 12);
    EXPECT_EQ(c.findings, 3);
    EXPECT_EQ(c.outputs, 4);
}

TEST_F(Query, TimesByKindKeepTheClocksApart) {
    std::vector<KindTime> rows = times_by_kind(db);
    ASSERT_THAT(rows, SizeIs(7));
    EXPECT_EQ(rows[0].name, "MatMul_BiasAdd_ReLU_fusion");
    EXPECT_EQ(rows[0].clock, Clock::modelled);
    EXPECT_EQ(rows[0].calls, 10);
    EXPECT_EQ(rows[0].total_ns, 50000);
    auto log = std::find_if(rows.begin(), rows.end(), [](const KindTime& row) { return row.name == "Log"; });
    ASSERT_NE(log, rows.end());
    EXPECT_EQ(log->clock, Clock::measured);
    EXPECT_EQ(log->total_ns, 9000);
    EXPECT_EQ(log->bytes_read, 72);
    std::vector<Totals> sums = total_times(db);
    ASSERT_THAT(sums, SizeIs(2));
    EXPECT_EQ(sums[0].total_ns, 3 * (1000 + 1200 + 3000 + 800));
    EXPECT_EQ(sums[1].total_ns, 10 * 8000);
}

TEST_F(Query, TimesByLineMergeStacksThatEndInTheSameLine) {
    std::vector<LineTime> rows = times_by_line(db);
    auto line = std::find_if(rows.begin(), rows.end(), [](const LineTime& row) { return row.line == kLogLine; });
    ASSERT_NE(line, rows.end());
    EXPECT_EQ(line->calls, 6);
    EXPECT_EQ(line->total_ns, 3 * 3800);
    EXPECT_THAT(line->path, HasSubstr("train.py"));
}

TEST_F(Query, TimesByNodeNameTheFusedKernels) {
    std::vector<NodeTime> rows = times_by_node(db);
    ASSERT_THAT(rows, SizeIs(2));
    EXPECT_EQ(rows[0].node_id, static_cast<std::int64_t>(kFusedMatMul));
    EXPECT_EQ(rows[0].name, "MatMul_BiasAdd_ReLU_5");
    EXPECT_EQ(rows[0].graph, "train_step");
    EXPECT_EQ(rows[1].total_ns, 20000);
}

TEST_F(Query, TimesByScopeCountNestedCellsOnce) {
    std::vector<ScopeTime> rows = times_by_scope(db);
    auto find = [&](const std::string& path) {
        auto found = std::find_if(rows.begin(), rows.end(), [&](const ScopeTime& row) { return row.path == path; });
        EXPECT_NE(found, rows.end()) << path;
        return found == rows.end() ? ScopeTime{} : *found;
    };
    EXPECT_EQ(find("Default").with_nested_ns, 80000);
    EXPECT_EQ(find("Default").total_ns, 0);
    EXPECT_EQ(find("Default/net-Net").with_nested_ns, 70000);
    EXPECT_EQ(find("Default/net-Net").depth, 1);
    EXPECT_EQ(find("Default/net-Net/fc-Dense").total_ns, 50000);
    EXPECT_EQ(find("Default/net-Net/fc-Dense").with_nested_calls, 10);
}

TEST_F(Query, SpreadsAgreeWithTheSumsAndTheirBoxesAreInOrder) {
    const auto times = times_by_kind(db);
    const auto spreads = op_spreads(db, OpKey::kind);
    ASSERT_EQ(spreads.size(), times.size());
    for (const OpSpread& spread : spreads) {
        const auto time = std::find_if(times.begin(), times.end(), [&](const KindTime& t) {
            return t.kind_id == spread.id && t.clock == spread.clock;
        });
        ASSERT_NE(time, times.end());
        EXPECT_EQ(spread.calls, time->calls);
        EXPECT_EQ(spread.total_ns, time->total_ns);
        EXPECT_GE(spread.low_ns, time->min_ns);
        EXPECT_LE(spread.high_ns, time->max_ns);
        EXPECT_LE(spread.q1_ns, spread.median_ns);
        EXPECT_LE(spread.median_ns, spread.q3_ns);
        EXPECT_LE(static_cast<std::int64_t>(spread.outliers.size()), spread.outside);
    }
    // Stacks that end in the same line are one row, as in the table.
    EXPECT_EQ(op_spreads(db, OpKey::line).size(), times_by_line(db).size());
}

TEST_F(Query, TimesOverStepsAddUpToTheSums) {
    for (const OpKey key : {OpKey::kind, OpKey::line, OpKey::node, OpKey::scope}) {
        std::int64_t all = 0, expected = 0;
        for (const OpSteps& row : times_over_steps(db, key)) {
            std::int64_t sum = 0;
            for (std::size_t i = 0; i < row.steps.size(); ++i) {
                sum += row.steps[i].total_ns;
                if (i > 0) {
                    EXPECT_LT(row.steps[i - 1].step, row.steps[i].step);
                }
            }
            EXPECT_EQ(sum, row.total_ns);
            all += sum;
        }
        for (const Totals& total : total_times(db)) expected += total.total_ns;
        EXPECT_EQ(all, expected);
    }
}

TEST_F(Query, TimeTreesHoldEveryEventOnceAndParentsHoldTheirChildren) {
    for (const bool cells : {false, true}) {
        const auto trees = cells ? times_by_cell(db) : times_by_stack(db);
        const auto totals = total_times(db);
        ASSERT_EQ(trees.size(), totals.size());
        for (std::size_t t = 0; t < trees.size(); ++t) {
            std::int64_t outermost = 0, ops = 0, calls = 0;
            std::vector<std::int64_t> inside(trees[t].nodes.size(), 0);
            for (std::size_t i = 0; i < trees[t].nodes.size(); ++i) {
                const TimeNode& node = trees[t].nodes[i];
                ASSERT_LT(node.parent, static_cast<int>(i));
                (node.parent < 0 ? outermost : inside[static_cast<std::size_t>(node.parent)]) += node.total_ns;
                if (node.what == TimeNode::What::op) {
                    ops += node.total_ns;
                    calls += node.calls;
                }
            }
            EXPECT_EQ(trees[t].clock, totals[t].clock);
            EXPECT_EQ(outermost, totals[t].total_ns);
            EXPECT_EQ(ops, totals[t].total_ns);
            EXPECT_EQ(calls, totals[t].calls);
            for (std::size_t i = 0; i < trees[t].nodes.size(); ++i) {
                if (trees[t].nodes[i].what != TimeNode::What::op) {
                    EXPECT_EQ(inside[i], trees[t].nodes[i].total_ns);
                }
            }
        }
    }
}

TEST_F(Query, TimesByStackBeginWithTheOutermostCaller) {
    const auto trees = times_by_stack(db);
    ASSERT_EQ(trees.back().clock, Clock::modelled);
    const auto& nodes = trees.back().nodes;
    const auto dense = std::find_if(nodes.begin(), nodes.end(), [](const TimeNode& n) { return n.line == kDenseLine; });
    ASSERT_NE(dense, nodes.end());
    EXPECT_EQ(dense->what, TimeNode::What::line);
    ASSERT_GE(dense->parent, 0);
    EXPECT_EQ(nodes[static_cast<std::size_t>(dense->parent)].line, kStepLine);
}

TEST_F(Query, FiltersNarrowByStepModeAndLine) {
    EventFilter filter;
    filter.mode = "eager";
    filter.first_step = filter.last_step = 1;
    EXPECT_EQ(count_op_events(db, filter), 4);
    EventFilter line;
    line.source_id = source_id();
    line.line = kAddLine;
    EXPECT_EQ(count_op_events(db, line), 3);
    EXPECT_THAT(times_by_step(db), SizeIs(13));
}

TEST_F(Query, OpEventsComeInPages) {
    std::vector<OpEventInfo> first = op_events(db, {}, 0, 40);
    ASSERT_THAT(first, SizeIs(40));
    EXPECT_EQ(first[0].name, "Add");
    EXPECT_EQ(first[0].line, kAddLine);
    EXPECT_EQ(first[12].device, "ascend-model");
    EXPECT_EQ(first[12].scope, "Default/net-Net/fc-Dense");
    EXPECT_THAT(op_events(db, {}, first.back().id, 40), SizeIs(2));
    EXPECT_FALSE(op_event(db, 99).has_value());
}

TEST_F(Query, TimelineHasATrackForEachThreadAndStream) {
    std::vector<Track> all = tracks(db);
    ASSERT_THAT(all, SizeIs(5));
    EXPECT_EQ(all[0].device, "cpu");
    EXPECT_EQ(all[0].number, 0);
    EXPECT_EQ(all[1].device, "ascend-model");
    EXPECT_EQ(all[1].clock, Clock::modelled);
    EXPECT_TRUE(all[2].transfers);
    EXPECT_THAT(slices(db, all[0], {kStart, kStart + 100000}), SizeIs(12));
    std::vector<Slice> merged = slices(db, all[0], {}, 1);
    ASSERT_THAT(merged, SizeIs(1));
    EXPECT_EQ(merged[0].events, 12);
    EXPECT_EQ(merged[0].busy_ns, 3 * 6000);
    // An event that began before the range and reaches into it is part of the answer.
    OpEventInfo log = op_event(db, 3).value();
    std::vector<Slice> middle = slices(db, all[0], {log.start_ns + 100, log.start_ns + 200});
    ASSERT_THAT(middle, SizeIs(1));
    EXPECT_EQ(middle[0].id, 3);
}

TEST_F(Query, TransfersAreSummedByReason) {
    std::vector<TransferSum> sums = transfer_sums(db);
    ASSERT_THAT(sums, SizeIs(4));
    EXPECT_EQ(sums[0].reason, "parameter");
    EXPECT_EQ(sums[0].bytes, 16384);
    EXPECT_EQ(sums[0].clock, Clock::modelled);
    std::vector<Transfer> list = transfers(db);
    ASSERT_THAT(list, SizeIs(7));
    EXPECT_EQ(list[2].kind, "d2h");
    EXPECT_EQ(list[2].line, kPrintLine);
    EXPECT_TRUE(list[5].pinned);
    EXPECT_EQ(transfers_by_line(db)[0].line, kStepLine);
}

TEST_F(Query, MemorySeriesKeepsThePeakWhenThinned) {
    std::vector<MemorySeries> all = memory_series(db, {}, 3);
    ASSERT_THAT(all, SizeIs(2));
    EXPECT_EQ(all[0].device, "ascend-model");
    EXPECT_EQ(all[0].peak_bytes, 81920);
    EXPECT_EQ(all[1].device, "cpu");
    EXPECT_EQ(all[1].events, 24);
    EXPECT_EQ(all[1].peak_bytes, 48 + 76);
    EXPECT_LE(all[1].points.size(), 5u);
    EXPECT_TRUE(std::any_of(all[1].points.begin(), all[1].points.end(),
                            [](const MemoryPoint& point) { return point.total_bytes == 48 + 76; }));
}

TEST_F(Query, HoldersOfTheMemoryAddUpToWhatIsLive) {
    int looked = 0;
    for (const MemorySeries& series : memory_series(db)) {
        for (const MemoryPoint& point : series.points) {
            // Of several changes in one moment the last counts.
            const bool last = &point == &series.points.back() || (&point + 1)->time_ns != point.time_ns;
            if (!last) continue;
            std::int64_t sum = 0;
            for (const MemoryHolder& holder : memory_holders(db, series.device, point.time_ns)) {
                EXPECT_GT(holder.bytes, 0);
                EXPECT_LE(holder.since_ns, point.time_ns);
                sum += holder.bytes;
            }
            EXPECT_EQ(sum, point.total_bytes) << series.device << " at " << point.time_ns;
            ++looked;
        }
    }
    EXPECT_GT(looked, 30);
}

TEST_F(Query, HoldersOfTheMemoryAreToldByOpAndLine) {
    // In a step Add, Mul and Log of 24 bytes each and a mean of 4 bytes; at its end all is given back.
    Statement fourth =
        db.prepare("SELECT time_ns FROM memory_event WHERE device = 'cpu' ORDER BY time_ns, id LIMIT 1 OFFSET 3");
    ASSERT_TRUE(fourth.step());
    std::vector<std::pair<std::string, std::int64_t>> found;
    for (const MemoryHolder& holder : memory_holders(db, "cpu", fourth.integer(0))) {
        if (holder.what == MemoryHolder::What::op && holder.line == kAddLine) {
            EXPECT_EQ(holder.op_event_id, 1);
        }
        found.emplace_back(holder.what == MemoryHolder::What::op ? holder.op : "", holder.bytes);
    }
    EXPECT_THAT(found,
                ::testing::IsSupersetOf({std::pair<std::string, std::int64_t>("Add", 24), {"Mul", 24}, {"Log", 24}}));
}

TEST_F(Query, StagesShowTheGraphBeforeAndAfter) {
    std::vector<Graph> all = graphs(db);
    ASSERT_THAT(all, SizeIs(1));
    EXPECT_EQ(all[0].captured_nodes, 11);
    EXPECT_EQ(all[0].final_nodes, 9);
    EXPECT_EQ(all[0].line, kStepLine);
    std::vector<Stage> list = stages(db, kGraph);
    ASSERT_THAT(list, SizeIs(4));
    EXPECT_FALSE(list[2].changed);
    EXPECT_EQ(list[2].nodes, 9);
    EXPECT_EQ(list[3].peak_bytes, 16384);
    EXPECT_EQ(stage_text(db, list[2].id), stage_text(db, list[1].id));
    EXPECT_THAT(stage_text(db, list[3].id), HasSubstr("fused"));
}

TEST_F(Query, EveryStageHasItsWholeGraph) {
    const std::size_t nodes[4] = {11, 9, 9, 9};
    const std::size_t edges[4] = {10, 8, 8, 7};
    for (int ordinal = 0; ordinal < 4; ++ordinal) {
        StageGraph graph = stage_graph(db, stage(ordinal));
        EXPECT_THAT(graph.nodes, SizeIs(nodes[ordinal])) << ordinal;
        EXPECT_THAT(graph.edges, SizeIs(edges[ordinal])) << ordinal;
    }
    StageGraph top = stage_graph(db, stage(3), Nesting::top_level);
    EXPECT_THAT(top.nodes, SizeIs(7));
    EXPECT_THAT(top.edges, SizeIs(6));
    StageGraph inside = region(db, stage(3), kFusedLoss);
    EXPECT_THAT(inside.nodes, SizeIs(2));
    EXPECT_THAT(inside.edges, SizeIs(1));
    StageGraph first = stage_graph(db, stage(0));
    EXPECT_EQ(first.nodes[4].op, "MatMul");
    EXPECT_EQ(first.nodes[4].attributes, R"({"scale":2.5,"transpose_b":true})");
    EXPECT_EQ(first.nodes[4].line, kDenseLine);
}

TEST_F(Query, PlainSqlFindsTheFirstAndTheLastStageWhole) {
    // What the contract promises to scripts that know nothing of lives.
    const char* sql =
        "SELECT count(*) FROM node WHERE stage_id = (SELECT id FROM stage WHERE graph_id = 1 ORDER BY ordinal %s LIMIT "
        "1)";
    std::string first = sql, last = sql;
    EXPECT_EQ(db.integer(first.replace(first.find("%s"), 2, "")), 11);
    EXPECT_EQ(db.integer(last.replace(last.find("%s"), 2, "DESC")), 9);
    EXPECT_EQ(db.integer("SELECT count(*) FROM edge WHERE stage_id = (SELECT max(id) FROM stage)"), 7);
    EXPECT_EQ(
        db.integer("WITH RECURSIVE up(id) AS (SELECT 308 UNION SELECT from_node_id FROM origin JOIN up ON node_id = "
                   "up.id) SELECT count(*) FROM up JOIN node USING (id) JOIN stage ON stage.id = stage_id WHERE "
                   "ordinal = 0"),
        3);
    // Every event of a graph names a node of the last stage.
    EXPECT_EQ(db.integer("SELECT count(*) FROM op_event e JOIN node n ON n.id = e.node_id WHERE n.stage_id <> (SELECT "
                         "max(id) FROM stage)"),
              0);
}

TEST_F(Query, UntouchedNodesAreNotWrittenForEveryStage) {
    // 11 captured, 5 new ones after fuse-matmul, none for dce, 9 of the last stage.
    EXPECT_EQ(db.integer("SELECT count(*) FROM node"), 25);
}

TEST_F(Query, OriginsLeadThroughStagesBothWays) {
    EXPECT_THAT(captured_nodes(db, kFusedMatMul), SizeIs(3));
    EXPECT_THAT(captured_nodes(db, kFusedLoss), ElementsAre(108, 109, 110));
    std::int64_t matmul = captured_nodes(db, kFusedMatMul).at(0);
    EXPECT_THAT(final_nodes(db, matmul), ElementsAre(static_cast<std::int64_t>(kFusedMatMul)));
    EXPECT_THAT(final_nodes(db, 108), ElementsAre(308, 309));
    auto map = origins_between(db, stage(3), stage(0));
    EXPECT_THAT(map, SizeIs(9));
    EXPECT_THAT(map.at(311), ElementsAre(111));
    EXPECT_THAT(map.at(101), SizeIs(1));  // the parameter that no pass touched
    std::vector<Fusion> fused = fusions(db, kGraph);
    ASSERT_THAT(fused, SizeIs(2));
    EXPECT_EQ(fused[0].bytes_before, 32768 + 16640 + 16384);
    EXPECT_EQ(fused[0].bytes_after, 33024);
    EXPECT_THAT(fused[1].member_ops, ElementsAre("Sub", "Square", "ReduceMean"));
}

TEST_F(Query, RelationsLeadFromALineToEventsNodesAndFindings) {
    Relations relations(db);
    Place log{Place::Table::line, source_id(), kLogLine};
    EXPECT_THAT(relations.op_events(log), ElementsAre(3, 4, 7, 8, 11, 12));
    EXPECT_THAT(relations.findings(log), ElementsAre(1));
    Place loss{Place::Table::line, source_id(), kLossLine};
    EXPECT_THAT(relations.op_events(loss), SizeIs(10));
    EXPECT_THAT(relations.nodes(loss, stage(0)), ElementsAre(108, 109, 110));
    EXPECT_THAT(relations.nodes(loss, stage(3)), ElementsAre(308, 309, 310));
    EXPECT_THAT(relations.graphs(loss), ElementsAre(1));
    Place print{Place::Table::line, source_id(), kPrintLine};
    EXPECT_THAT(relations.transfers(print), SizeIs(3));
}

TEST_F(Query, RelationsLeadFromAFusedNodeToItsLines) {
    Relations relations(db);
    Place fused{Place::Table::node, static_cast<std::int64_t>(kFusedMatMul), 0};
    std::vector<Place> lines = relations.lines(fused);
    ASSERT_THAT(lines, SizeIs(2));
    EXPECT_EQ(lines[0].line, kDenseLine);
    EXPECT_EQ(lines[1].line, kReluLine);
    EXPECT_THAT(relations.op_events(fused), SizeIs(10));
    Place event{Place::Table::op_event, kEagerEvents + 1, 0};
    EXPECT_THAT(relations.nodes(event, stage(0)), SizeIs(3));
    EXPECT_EQ(relations.lines(event).at(0).line, kDenseLine);
    Place nan{Place::Table::finding, 1, 0};
    EXPECT_THAT(relations.op_events(nan), ElementsAre(static_cast<std::int64_t>(kNanEvent)));
}

TEST_F(Query, FindingsCarrySentenceAndDetail) {
    std::vector<FindingInfo> all = findings(db);
    ASSERT_THAT(all, SizeIs(3));
    EXPECT_EQ(all[0].kind, "nan");
    EXPECT_EQ(all[0].severity, "error");
    EXPECT_EQ(all[0].message,
              "Log of a negative number gave NaN in 1 element, first at index (1, 0), input -32 (step 2); it goes "
              "back to Mul in line 9");
    FindingDetail detail = parse_finding_detail(all[0].detail);
    EXPECT_EQ(detail.op, "Log");
    EXPECT_THAT(detail.file, HasSubstr("train.py"));
    EXPECT_EQ(detail.line, kLogLine);
    EXPECT_EQ(detail.step, 2);
    EXPECT_THAT(detail.index, ElementsAre(1, 0));
    EXPECT_EQ(detail.root_op, "Mul");
    EXPECT_EQ(detail.root_line, kMulLine);
    EXPECT_THAT(detail.advice, HasSubstr("Clip"));
    EXPECT_THAT(all[2].message, HasSubstr("float() of a pending tensor"));
    EXPECT_THAT(findings(db, 2), SizeIs(1));
}

TEST_F(Query, TensorsTellHealthAndValue) {
    std::vector<TensorInfo> bad = unhealthy_tensors(db);
    ASSERT_THAT(bad, SizeIs(2));
    EXPECT_EQ(bad[0].op_event_id, static_cast<std::int64_t>(kNanEvent));
    EXPECT_EQ(bad[0].first_bad_index, 3);
    EXPECT_EQ(bad[1].mean, std::nullopt);  // no finite element
    TensorInfo mul = tensors_of(db, 2).at(0);
    EXPECT_EQ(mul.shape, "(2, 3)");
    EXPECT_EQ(mul.dtype, "Float32");
    EXPECT_EQ(mul.zero, 1);
    EXPECT_EQ(mul.max, 12);
    std::vector<std::byte> bytes = tensor_value(db, mul.id);
    ASSERT_THAT(bytes, SizeIs(24));
    float values[6];
    std::memcpy(values, bytes.data(), 24);
    EXPECT_THAT(values, ElementsAre(2, 4, 6, 0, 10, 12));
    EXPECT_EQ(tensors_of(db, 1).at(0).zero, std::nullopt);
}

TEST_F(Query, SourcesKeepTheTextOfTheRun) {
    ASSERT_THAT(sources(db), SizeIs(1));
    EXPECT_THAT(source_text(db, 1).value(), HasSubstr("c = ops.log(b).mean()"));
    std::vector<Frame> frames = stack(db, 8);
    ASSERT_THAT(frames, SizeIs(2));
    EXPECT_EQ(frames[0].line, kDenseLine);
    EXPECT_EQ(frames[1].function, "train_step");
    EXPECT_EQ(call_paths(db).at(8), "train_step/construct");
    EXPECT_EQ(call_paths(db).at(1), "");
}

TEST_F(Query, OutputAndBreaksComeBackInOrder) {
    std::vector<OutputPiece> pieces = output(db);
    ASSERT_THAT(pieces, SizeIs(4));
    EXPECT_EQ(pieces[2].text, "nan\n");
    EXPECT_EQ(pieces[3].text, "done: 完成\n");
    EXPECT_EQ(pieces[3].stream, "stderr");
    EXPECT_THAT(output(db, pieces[2].id), SizeIs(1));
    ASSERT_THAT(graph_breaks(db), SizeIs(1));
    EXPECT_EQ(graph_breaks(db)[0].line, kStepLine);
}

}  // namespace
}  // namespace fusescope
