// What the report says about the sample recording.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>

#include "profiler/db/database.hpp"
#include "profiler/report/compare.hpp"
#include "profiler/report/report.hpp"
#include "tests/profiler/awkward_profile.hpp"
#include "tests/profiler/sample_profile.hpp"

using namespace fusescope;
using namespace fusescope::testing;
using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

namespace {

/// The sample, recorded and collected once for all tests.
const report::Report& sample_report() {
    static TemporaryFolder folder;
    static const report::Report report = [] {
        Database database = Database::open_readonly(write_sample_profile(folder.path));
        return report::collect(database);
    }();
    return report;
}

const report::Report& awkward_report() {
    static TemporaryFolder folder;
    static const report::Report report = [] {
        std::ofstream(folder / "o d\"d.py") << "one\n\n  third = 'line' < 3\n";
        write_awkward_profile(folder / "p.fscope", folder / "o d\"d.py");
        Database database = Database::open_readonly(folder / "p.fscope");
        return report::collect(database);
    }();
    return report;
}

report::Report single(std::int64_t ns, bool modelled) {
    TemporaryFolder folder;
    write_single_op_profile(folder / "p.fscope", ns, modelled);
    Database database = Database::open_readonly(folder / "p.fscope");
    return report::collect(database);
}

}  // namespace

TEST(ReportCollect, TimesAreGroupedByClock) {
    const auto& measured = sample_report().times[0];
    EXPECT_EQ(measured.count, sample::kEagerEvents);
    EXPECT_EQ(measured.self_ns, 3 * (1000 + 1200 + 3000 + 800));
    ASSERT_EQ(measured.ops.size(), 4u);
    EXPECT_EQ(measured.ops[0].name, "Log");
    EXPECT_EQ(measured.ops[0].self_ns, 9000);
    EXPECT_EQ(measured.ops[0].count, 3);
    EXPECT_TRUE(measured.kernels.empty());
    EXPECT_EQ(measured.lines[0].place.line, sample::kLogLine);
    EXPECT_EQ(measured.lines[0].place.source, "c = ops.log(b).mean()");
    EXPECT_EQ(measured.lines[0].self_ns, 3 * 3800);

    const auto& modelled = sample_report().times[1];
    EXPECT_EQ(modelled.count, sample::kGraphEvents);
    EXPECT_EQ(modelled.self_ns, 10 * 8000);
    ASSERT_EQ(modelled.kernels.size(), 2u);
    EXPECT_EQ(modelled.kernels[0].name, "MatMul_BiasAdd_ReLU_5");
    EXPECT_EQ(modelled.kernels[0].graph, "train_step");
    EXPECT_EQ(modelled.kernels[0].members, (std::vector<std::string>{"MatMul", "BiasAdd", "ReLU"}));
    EXPECT_EQ(modelled.phases.size(), 2u);
    EXPECT_EQ(modelled.scopes[0].name, "Default/net-Net/fc-Dense");
}

TEST(ReportCollect, PartsOfTheWallNeverAddUpToMoreThanIt) {
    for (const report::Report* report : {&sample_report(), &awkward_report()}) {
        const auto& wall = report->wall;
        EXPECT_GT(wall.wall_ns, 0);
        EXPECT_LE(wall.ops_ns + wall.transfers_ns + wall.compile_ns, wall.wall_ns);
        EXPECT_EQ(wall.ops_ns + wall.transfers_ns + wall.compile_ns + wall.rest_ns, wall.wall_ns);
        std::int64_t by_op = 0, by_line = 0;
        for (const auto& row : report->times[0].ops) by_op += row.self_ns;
        for (const auto& row : report->times[0].lines) by_line += row.self_ns;
        EXPECT_EQ(by_op, wall.ops_ns);
        EXPECT_EQ(by_line, wall.ops_ns);
    }
}

TEST(ReportCollect, ModelledTimeIsNoPartOfTheWall) {
    EXPECT_EQ(sample_report().wall.ops_ns, sample_report().times[0].self_ns);
    EXPECT_EQ(sample_report().wall.transfers_ns, 2 * 400 + 3 * 300);
    EXPECT_EQ(sample_report().wall.compile_ns, 5'000'000);
}

TEST(ReportCollect, NestedAndParallelOpsAreCountedOnce) {
    // Cond 0..1000 with 401 inside on thread 0; 500..1500 on thread 1; 3000 on a stream.
    const auto& measured = awkward_report().times[0];
    EXPECT_EQ(measured.self_ns, 1500 + 3000);
    for (const auto& row : measured.ops) {
        if (row.name == "Cond") {
            EXPECT_EQ(row.self_ns, 100 + (1000 - 501) / 2);
            EXPECT_EQ(row.total_ns, 1000);
        }
    }
}

TEST(ReportCollect, SaysWhatFused) {
    ASSERT_EQ(sample_report().graphs.size(), 1u);
    const report::GraphRow& graph = sample_report().graphs[0];
    EXPECT_EQ(graph.name, "train_step");
    EXPECT_EQ(graph.place.line, sample::kStepLine);
    EXPECT_EQ(graph.nodes_before, 6);
    EXPECT_EQ(graph.nodes_after, 2);
    EXPECT_EQ(graph.bytes_before, 32768u + 16640 + 16384 + 24576 + 16384 + 8196);
    EXPECT_EQ(graph.bytes_after, 33024u + 16388);
    EXPECT_EQ(graph.compile_ns, 5'000'000);
    EXPECT_EQ(graph.planned_peak_bytes, 16384);
    std::vector<std::int64_t> nodes;
    for (const auto& stage : graph.stages) nodes.push_back(stage.nodes);
    EXPECT_EQ(nodes, (std::vector<std::int64_t>{6, 4, 4, 2}));
    ASSERT_EQ(graph.kernels.size(), 2u);
    std::set<std::string> members;
    for (const auto& kernel : graph.kernels) {
        for (const auto& member : kernel.members) members.insert(member.op + ":" + std::to_string(member.place.line));
    }
    EXPECT_EQ(members,
              (std::set<std::string>{"MatMul:16", "BiasAdd:16", "ReLU:17", "Sub:18", "Square:18", "ReduceMean:18"}));
}

TEST(ReportCollect, RanksFindingsAndMergesEqualOnes) {
    ASSERT_EQ(sample_report().findings.size(), 3u);
    EXPECT_EQ(sample_report().findings[0].kind, "nan");
    EXPECT_EQ(sample_report().findings[0].severity, "error");
    EXPECT_EQ(sample_report().findings[0].root_op, "Mul");
    EXPECT_EQ(sample_report().findings[0].root_line, sample::kMulLine);
    EXPECT_EQ(sample_report().findings[0].step, 2);
    ASSERT_EQ(awkward_report().findings.size(), 1u);
    EXPECT_EQ(awkward_report().findings[0].count, 2);
    ASSERT_EQ(awkward_report().breaks.size(), 1u);
    EXPECT_EQ(awkward_report().breaks[0].count, 2);
}

TEST(ReportCollect, KnowsTheMemoryPeak) {
    ASSERT_EQ(sample_report().memory.size(), 2u);
    for (const auto& row : sample_report().memory) {
        if (row.device == "ascend-model") {
            EXPECT_EQ(row.peak_bytes, 81920);
            EXPECT_EQ(row.op, "MatMul_BiasAdd_ReLU_fusion");
        } else {
            EXPECT_EQ(row.peak_bytes, 48 + 76);
            EXPECT_EQ(row.end_bytes, 48);
        }
    }
}

TEST(ReportText, AnswersAtAGlance) {
    const std::string text = report::to_text(report::to_document(sample_report()));
    for (const char* part : {"train.py --epochs 3",
                             "Where the time went, measured",
                             "Where the time went, modelled",
                             "By op (modelled)",
                             "Log",
                             "train.py:10",
                             "c = ops.log(b).mean()",
                             "What fused",
                             "MatMul, BiasAdd, ReLU",
                             "train.py:16, 17",
                             "graph_break",
                             "float() of a pending tensor",
                             "Findings",
                             "nan",
                             "cause: Mul at train.py:9",
                             "print",
                             "d2h",
                             "changed nothing: dce",
                             "peak 16.0 KiB",
                             "changes no rounding"}) {
        EXPECT_THAT(text, HasSubstr(part));
    }
}

TEST(ReportText, EveryTableOfModelledTimesSaysSo) {
    for (const report::Section& section : report::to_document(sample_report()).sections) {
        if (section.id.find("-modelled") == std::string::npos) continue;
        EXPECT_TRUE(section.modelled) << section.id;
        EXPECT_THAT(section.title, HasSubstr("modelled"));
    }
}

TEST(ReportText, StaysOneLineARowWhateverTheNames) {
    const std::string text = report::to_text(report::to_document(awkward_report()));
    EXPECT_THAT(text, Not(HasSubstr("\x1b")));
    EXPECT_THAT(text, Not(HasSubstr("\t")));
    EXPECT_THAT(text, Not(HasSubstr("\xff")));
    EXPECT_THAT(text, HasSubstr("third = 'line' < 3"));
}

TEST(ReportHtml, IsOneWellFormedPage) {
    const std::string html = report::to_html(report::to_document(awkward_report()));
    EXPECT_THAT(html, HasSubstr("<!DOCTYPE html>"));
    EXPECT_THAT(html, Not(HasSubstr("<b>")));
    EXPECT_THAT(html, Not(HasSubstr("</text>")));
    EXPECT_THAT(html, Not(HasSubstr("<that>")));
    const auto occurrences = [&](const std::string& tag) {
        std::size_t n = 0;
        for (std::size_t at = html.find(tag); at != std::string::npos; at = html.find(tag, at + 1)) ++n;
        return n;
    };
    for (const std::string tag : {"table", "tr", "section", "main", "td"}) {
        EXPECT_EQ(occurrences("<" + tag + ">") + occurrences("<" + tag + " "), occurrences("</" + tag + ">")) << tag;
    }
}

TEST(ReportJson, ParsesAndHasStableKeys) {
    const json parsed = json::parse(report::to_json(sample_report()));
    EXPECT_EQ(parsed["format"], "fusescope-report");
    EXPECT_EQ(parsed["version"], 1);
    EXPECT_EQ(parsed["run"]["status"], "ok");
    EXPECT_EQ(parsed["run"]["arguments"], (json{"--epochs", "3"}));
    EXPECT_EQ(parsed["run"]["incomplete"], false);
    EXPECT_EQ(parsed["time"]["measured"]["ops"][0]["name"], "Log");
    EXPECT_EQ(parsed["time"]["modelled"]["self_ns"], 80000);
    EXPECT_EQ(parsed["graphs"][0]["bytes_saved"], 114948 - 49412);
    EXPECT_EQ(parsed["graphs"][0]["kernels"].size(), 2u);
    EXPECT_EQ(parsed["graph_breaks"][0]["reason"], "float() of a pending tensor");
    EXPECT_EQ(parsed["findings"][0]["root"]["op"], "Mul");
    EXPECT_EQ(parsed["transfers"].size(), 4u);
}

TEST(ReportJson, AwkwardNamesSurvive) {
    const json parsed = json::parse(report::to_json(awkward_report()));
    std::string op = awkward::kOp;
    op.replace(op.find('\xff'), 1, "\uFFFD");
    std::set<std::string> names;
    for (const json& row : parsed["time"]["measured"]["ops"]) names.insert(row["name"]);
    EXPECT_TRUE(names.contains(op)) << parsed["time"]["measured"]["ops"];
    EXPECT_EQ(parsed["graphs"][0]["name"], awkward::kGraph);
    EXPECT_EQ(parsed["graph_breaks"][0]["reason"], awkward::kReason);
    EXPECT_EQ(parsed["run"]["arguments"][0], "--name=\"x y\"");
}

TEST(ReportJson, EveryKeyIsOnItsHelpPage) {
    std::ifstream file(FUSESCOPE_SOURCE_DIR "/resources/help/report.md");
    const std::string page((std::istreambuf_iterator<char>(file)), {});
    ASSERT_FALSE(page.empty());
    std::set<std::string> keys;
    const std::function<void(const json&)> walk = [&](const json& value) {
        if (value.is_object()) {
            for (const auto& [key, inner] : value.items()) {
                keys.insert(key);
                walk(inner);
            }
        } else if (value.is_array()) {
            for (const json& inner : value) walk(inner);
        }
    };
    json all = json::parse(report::to_json(sample_report()));
    all.erase("notes");
    walk(all);
    json comparison = json::parse(report::to_json(report::compare(sample_report(), awkward_report())));
    walk(comparison);
    EXPECT_GT(keys.size(), 60u);
    for (const std::string& key : keys) EXPECT_THAT(page, HasSubstr("`" + key + "`"));
}

TEST(Compare, GrowthIsOfTheTotalOpTimeOfOneClock) {
    EXPECT_DOUBLE_EQ(*report::growth(report::compare(single(1000, false), single(1250, false))), 25);
    EXPECT_DOUBLE_EQ(*report::growth(report::compare(single(1000, true), single(500, true))), -50);
    const report::Comparison mixed = report::compare(single(1000, false), single(5000, true));
    EXPECT_FALSE(report::growth(mixed).has_value());
    EXPECT_THAT(mixed.warnings.back(), HasSubstr("cannot be compared"));
}

TEST(Compare, NamesWhatIsNewAndWhatIsGone) {
    const report::Comparison same = report::compare(sample_report(), sample_report());
    EXPECT_TRUE(same.new_findings.empty());
    EXPECT_TRUE(same.gone_findings.empty());
    EXPECT_EQ(same.times.size(), 2u);
    for (const auto& times : same.times) EXPECT_EQ(times.total.change(), 0);

    const report::Comparison differ = report::compare(sample_report(), awkward_report());
    EXPECT_EQ(differ.gone_findings.size(), 3u);
    EXPECT_EQ(differ.new_findings.size(), 1u);
    const std::string text = report::to_text(report::to_document(differ));
    for (const char* part : {"New findings", "gone", "Log", "Time by op, measured", "Time by op (modelled)"}) {
        EXPECT_THAT(text, HasSubstr(part));
    }
    const json parsed = json::parse(report::to_json(differ));
    EXPECT_EQ(parsed["format"], "fusescope-comparison");
    EXPECT_EQ(parsed["gone_findings"].size(), 3u);
    EXPECT_TRUE(parsed["time"].contains("modelled"));
}
