// Every export of the sample, and of a recording with awkward names, is valid and complete.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "profiler/db/database.hpp"
#include "profiler/export/exporter.hpp"
#include "profiler/write/recorder.hpp"
#include "tests/profiler/awkward_profile.hpp"
#include "tests/profiler/sample_profile.hpp"

using namespace fusescope;
using namespace fusescope::testing;
using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

namespace {

const std::string& sample_profile() {
    static TemporaryFolder folder;
    static const std::string path = write_sample_profile(folder.path);
    return path;
}

const std::string& awkward_profile() {
    static TemporaryFolder folder;
    static const std::string path = [] {
        write_awkward_profile(folder / "p.fscope", "/x/o d\"d,\n张.py");
        return folder / "p.fscope";
    }();
    return path;
}

std::string exported(const std::string& format, const std::string& profile) {
    Database database = Database::open_readonly(profile);
    for (const Exporter& exporter : exporter_all()) {
        if (format != exporter.format) continue;
        StringSink sink;
        exporter.write(database, sink);
        return sink.take();
    }
    throw std::runtime_error("no exporter " + format);
}

/// A reader of RFC 4180, apart from the writer.
std::vector<std::vector<std::string>> parse_csv(const std::string& text) {
    std::vector<std::vector<std::string>> rows;
    std::vector<std::string> row;
    std::string field;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted) {
            if (c != '"') {
                field += c;
            } else if (i + 1 < text.size() && text[i + 1] == '"') {
                field += '"';
                ++i;
            } else {
                quoted = false;
            }
        } else if (c == '"') {
            EXPECT_TRUE(field.empty());
            quoted = true;
        } else if (c == ',') {
            row.push_back(std::move(field));
            field.clear();
        } else if (c == '\r') {
            EXPECT_EQ(text[i + 1], '\n');
        } else if (c == '\n') {
            row.push_back(std::move(field));
            field.clear();
            rows.push_back(std::move(row));
            row.clear();
        } else {
            field += c;
        }
    }
    EXPECT_TRUE(field.empty() && row.empty()) << "the last row has no end";
    return rows;
}

std::string op_as_utf8() {
    std::string op = awkward::kOp;
    return op.replace(op.find('\xff'), 1, "\uFFFD");
}

/// What Perfetto needs, checked event by event. Returns the parsed trace.
json checked_trace(const std::string& profile) {
    const std::string text = exported("trace.json", profile);
    const json trace = json::parse(text);
    const json& events = trace.at("traceEvents");
    std::set<std::pair<int, int>> named_threads, used_threads;
    std::set<int> named_processes;
    std::map<std::int64_t, int> flow_starts, flow_ends;
    double last = -1;
    for (const json& event : events) {
        const std::string phase = event.at("ph");
        const int process = event.at("pid"), thread = event.at("tid");
        if (phase == "M") {
            if (event["name"] == "process_name") named_processes.insert(process);
            if (event["name"] == "thread_name") named_threads.insert({process, thread});
            EXPECT_EQ(last, -1) << "names come first";
            continue;
        }
        EXPECT_TRUE(named_processes.contains(process));
        EXPECT_TRUE(phase == "C" || named_threads.contains({process, thread})) << event;
        const double time = event.at("ts");
        EXPECT_GE(time, last);
        last = time;
        if (phase == "X") {
            EXPECT_GE(event.at("dur").get<double>(), 0);
            EXPECT_FALSE(event.at("name").get<std::string>().empty());
            used_threads.insert({process, thread});
        } else if (phase == "s") {
            ++flow_starts[event.at("id")];
        } else if (phase == "f") {
            ++flow_ends[event.at("id")];
            EXPECT_EQ(event.at("bp"), "e");
            EXPECT_TRUE(flow_starts.contains(event.at("id"))) << "an arrow that ends before it starts";
        } else if (phase == "C") {
            EXPECT_TRUE(event.at("args").at("bytes").is_number_integer());
        } else {
            EXPECT_EQ(phase, "i");
            EXPECT_EQ(event.at("s"), "t");
        }
    }
    EXPECT_EQ(flow_starts, flow_ends);
    EXPECT_FALSE(used_threads.empty());
    for (const auto& [id, count] : flow_starts) EXPECT_EQ(count, 1) << id;
    return trace;
}

}  // namespace

TEST(Exporters, AreTheFormatsOfTheContract) {
    std::set<std::string> formats;
    for (const Exporter& exporter : exporter_all()) formats.insert(exporter.format);
    EXPECT_EQ(formats, (std::set<std::string>{"trace.json", "graph.svg", "graph.dot", "ops.csv", "ir.txt"}));
}

TEST(TraceJson, HasTracksArrowsCountersAndArguments) {
    const json trace = checked_trace(sample_profile());
    std::map<std::string, int> phases;
    std::set<std::string> processes, threads;
    bool saw_kernel = false, saw_copy = false, saw_compile = false;
    for (const json& event : trace["traceEvents"]) {
        ++phases[event["ph"]];
        if (event["name"] == "process_name") processes.insert(event["args"]["name"]);
        if (event["name"] == "thread_name") threads.insert(event["args"]["name"]);
        if (event["ph"] != "X") continue;
        if (event["name"] == "MatMul_BiasAdd_ReLU_fusion") {
            saw_kernel = true;
            EXPECT_EQ(event["dur"], 5.0);
            EXPECT_EQ(event["args"]["clock"], "modelled");
            EXPECT_EQ(event["args"]["line"], sample::kDenseLine);
            EXPECT_EQ(event["args"]["output"], "Float32 (32, 64)");
            EXPECT_EQ(event["args"]["node"], "MatMul_BiasAdd_ReLU_5");
        }
        if (event["name"] == "h2d parameter") {
            saw_copy = true;
            EXPECT_EQ(event["args"]["bytes"], 16384);
        }
        if (event["name"] == "compile train_step") {
            saw_compile = true;
            EXPECT_EQ(event["dur"], 5000.0);
        }
    }
    EXPECT_TRUE(saw_kernel && saw_copy && saw_compile);
    EXPECT_TRUE(processes.contains("host: train.py"));
    EXPECT_TRUE(processes.contains("ascend-model (modelled)"));
    EXPECT_TRUE(threads.contains("stream 0 (modelled)"));
    EXPECT_TRUE(threads.contains("graph compilation"));
    EXPECT_EQ(phases["s"], sample::kGraphEvents);
    EXPECT_EQ(phases["f"], sample::kGraphEvents);
    // 42 executions, 30 launches, 7 copies, 1 compilation
    EXPECT_EQ(phases["X"], 42 + 30 + 7 + 1);
    EXPECT_GT(phases["C"], 0);
    EXPECT_EQ(phases["i"], 2);
}

TEST(TraceJson, FractionsOfAMicrosecondAreKept) {
    const json trace = checked_trace(awkward_profile());
    std::set<double> durations;
    for (const json& event : trace["traceEvents"]) {
        if (event["ph"] == "X") durations.insert(event["dur"].get<double>());
    }
    EXPECT_TRUE(durations.contains(0.401));
}

TEST(TraceJson, SlicesThatOverlapWithoutNestingGetLanes) {
    TemporaryFolder folder;
    DatabaseRecorder recorder(folder / "lanes.fscope", {});
    recorder.define_kind(1, "Add");
    recorder.transfer({.bytes = 4, .start_ns = 1000, .duration_ns = 500, .stream = 2, .clock = Clock::modelled});
    recorder.transfer({.bytes = 4, .start_ns = 1200, .duration_ns = 500, .stream = 2, .clock = Clock::modelled});
    recorder.transfer({.bytes = 4, .start_ns = 1600, .duration_ns = 500, .stream = 2, .clock = Clock::modelled});
    recorder.transfer({.bytes = 4, .start_ns = 1650, .duration_ns = 50, .stream = 2, .clock = Clock::modelled});
    ASSERT_TRUE(recorder.finish("ok", 0));
    const json trace = checked_trace(folder / "lanes.fscope");
    std::map<int, int> slices;
    std::set<std::string> threads;
    for (const json& event : trace["traceEvents"]) {
        if (event["ph"] == "X") ++slices[event["tid"]];
        if (event["name"] == "thread_name") threads.insert(event["args"]["name"]);
    }
    ASSERT_EQ(slices.size(), 2u);
    EXPECT_EQ(slices.begin()->second, 3);
    EXPECT_TRUE(threads.contains("copies h2d, stream 2, lane 2 (modelled)"));
}

TEST(TraceJson, AwkwardNamesSurvive) {
    const json trace = checked_trace(awkward_profile());
    int found = 0;
    for (const json& event : trace["traceEvents"]) {
        if (event["ph"] == "X" && event["name"] == op_as_utf8()) {
            ++found;
            EXPECT_EQ(event["args"]["scope"], awkward::kScope);
            EXPECT_EQ(event["args"]["file"], "/x/o d\"d,\n张.py");
        }
    }
    EXPECT_EQ(found, 3);
}

TEST(OpsCsv, HasOneRowPerExecution) {
    const auto rows = parse_csv(exported("ops.csv", sample_profile()));
    ASSERT_EQ(rows.size(), 1u + sample::kEagerEvents + sample::kGraphEvents);
    for (const auto& row : rows) EXPECT_EQ(row.size(), rows[0].size());
    std::map<std::string, std::string> first;
    for (std::size_t c = 0; c < rows[0].size(); ++c) first[rows[0][c]] = rows[13][c];
    EXPECT_EQ(first["op"], "MatMul_BiasAdd_ReLU_fusion");
    EXPECT_EQ(first["clock"], "modelled");
    EXPECT_EQ(first["device"], "ascend-model");
    EXPECT_EQ(first["duration_ns"], "5000");
    EXPECT_EQ(first["scope"], "Default/net-Net/fc-Dense");
    EXPECT_EQ(first["line"], "16");
}

TEST(OpsCsv, AwkwardNamesSurvive) {
    const auto rows = parse_csv(exported("ops.csv", awkward_profile()));
    ASSERT_EQ(rows.size(), 5u);
    std::multiset<std::string> fields;
    for (const auto& row : rows) {
        ASSERT_EQ(row.size(), rows[0].size());
        fields.insert(row.begin(), row.end());
    }
    EXPECT_EQ(fields.count(op_as_utf8()), 3u);
    EXPECT_EQ(fields.count(awkward::kScope), 4u);
    EXPECT_EQ(fields.count("/x/o d\"d,\n张.py"), 4u);
}

TEST(GraphDot, ShowsBothStagesAndEscapesNames) {
    const std::string dot = exported("graph.dot", sample_profile());
    for (const char* part : {"digraph", "train_step as captured", "train_step as it ran", "MatMul, BiasAdd, ReLU",
                             "net-Net/fc-Dense", "\"g1_0_105\" -> \"g1_0_106\""}) {
        EXPECT_THAT(dot, HasSubstr(part));
    }
    // Every quote is closed and every brace outside of quotes is too.
    for (const std::string& text : {dot, exported("graph.dot", awkward_profile())}) {
        int depth = 0;
        bool quoted = false;
        for (std::size_t i = 0; i < text.size(); ++i) {
            if (quoted && text[i] == '\\') {
                ++i;
            } else if (text[i] == '"') {
                quoted = !quoted;
            } else if (!quoted) {
                depth += text[i] == '{' ? 1 : text[i] == '}' ? -1 : 0;
            }
        }
        EXPECT_FALSE(quoted);
        EXPECT_EQ(depth, 0);
    }
}

TEST(GraphSvg, DrawsEachNodeOnceAndIsWellFormed) {
    for (const std::string& profile : {sample_profile(), awkward_profile()}) {
        const std::string svg = exported("graph.svg", profile);
        std::vector<std::string> open;
        int nodes = 0;
        for (std::size_t at = svg.find('<'); at != std::string::npos; at = svg.find('<', at + 1)) {
            const std::size_t end = svg.find('>', at);
            ASSERT_NE(end, std::string::npos);
            const std::string tag = svg.substr(at + 1, end - at - 1);
            if (tag == "title") ++nodes;
            if (tag[0] == '/') {
                ASSERT_FALSE(open.empty());
                EXPECT_EQ(open.back(), tag.substr(1));
                open.pop_back();
            } else if (tag.back() != '/') {
                open.push_back(tag.substr(0, tag.find(' ')));
            }
        }
        EXPECT_TRUE(open.empty());
        EXPECT_EQ(nodes, profile == sample_profile() ? 11 + 7 : 3);
        EXPECT_THAT(svg, Not(HasSubstr("nan")));
        EXPECT_THAT(svg, Not(HasSubstr("\x1b")));
    }
    EXPECT_THAT(exported("graph.svg", sample_profile()), HasSubstr("MatMul · BiasAdd · ReLU"));
}

TEST(IrTxt, HasTheTextOfEveryStageThatChangedSomething) {
    const std::string text = exported("ir.txt", sample_profile());
    EXPECT_THAT(text, HasSubstr("# graph 1: train_step(Float32[32,64])"));
    EXPECT_THAT(text, HasSubstr("# stage 0: capture"));
    EXPECT_THAT(text, HasSubstr("%6 = BiasAdd(%5, %bias)"));
    EXPECT_THAT(text, HasSubstr("# stage 2: dce, changed nothing"));
    EXPECT_THAT(text, HasSubstr("# stage 3: fuse-elementwise, 2 rewrites"));
    EXPECT_THAT(text, HasSubstr("%8 = fused(%5, %label)"));
    EXPECT_THAT(exported("ir.txt", awkward_profile()), HasSubstr("func @\"" + awkward::kGraph + "\""));
}
