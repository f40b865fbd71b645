// Comparing two runs: which value is which, by how much they differ, and which pass is to blame.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "profiler/check/blame.hpp"
#include "profiler/check/log_recorder.hpp"
#include "profiler/check/match.hpp"
#include "profiler/check/result.hpp"

using namespace fusescope;
using namespace fusescope::check;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {

// ---- runs, told to a recorder and read back

constexpr KindId kAdd = 1, kMul = 2, kFused = 3;

class Told {
 public:
    explicit Told(Keep keep = {1 << 20, {}, {}}) {
        char name[] = "/tmp/fusescope-check-test-XXXXXX";
        file_ = ::mkstemp(name);
        ::unlink(name);
        recorder_ = std::make_unique<LogRecorder>(file_, std::move(keep));
        recorder_->define_kind(kAdd, "Add");
        recorder_->define_kind(kMul, "Mul");
        recorder_->define_kind(kFused, "Add_Mul_fusion");
        for (FrameId line = 1; line <= 9; ++line) recorder_->define_frame(line, {0, "a.py", int(line), "f"});
    }
    ~Told() { ::close(file_); }

    /// An op with one output.
    Told& op(KindId kind, FrameId line, std::vector<float> values, NodeId node = 0, Phase phase = Phase::forward) {
        OpEvent event;
        event.id = ++events_;
        event.kind = kind;
        event.frame = line;
        event.node = node;
        event.phase = phase;
        recorder_->op(event);
        TensorHealth health;
        health.op_event = event.id;
        recorder_->tensor(health, Shape{static_cast<std::int64_t>(values.size())}, values.data());
        return *this;
    }
    Told& graph(const GraphSnapshot& graph) {
        recorder_->graph(std::make_shared<GraphSnapshot>(graph));
        return *this;
    }
    Told& run(GraphId id) {
        recorder_->graph_run(id);
        return *this;
    }
    Told& region(NodeId node, std::uint32_t number) {
        recorder_->region_run(node, number);
        return *this;
    }
    LogRecorder& recorder() { return *recorder_; }
    const Log& log() {
        recorder_->finish(false);
        log_ = read_log(file_);
        return log_;
    }
    int file() const { return file_; }

 private:
    int file_ = -1;
    EventId events_ = 0;
    std::unique_ptr<LogRecorder> recorder_;
    Log log_;
};

NodeSnapshot node(NodeId id, const std::string& op, FrameId line, std::vector<NodeId> origins = {}, NodeId parent = 0,
                  std::uint32_t region = 0) {
    NodeSnapshot n;
    n.id = id;
    n.op = op;
    n.frame = line;
    n.dtype = "Float32";
    n.origins = std::move(origins);
    n.parent = parent;
    n.region = region;
    return n;
}

/// Add at line 1 and Mul at line 2 become one kernel, which gives the value of the Mul alone.
GraphSnapshot fused_graph(GraphId id = 1) {
    GraphSnapshot graph;
    graph.id = id;
    graph.name = "f";
    StageSnapshot captured;
    captured.pass = "capture";
    captured.nodes = {node(10, "Parameter", 0), node(11, "Add", 1), node(12, "Mul", 2)};
    StageSnapshot fused;
    fused.pass = "fuse-elementwise";
    fused.nodes = {node(10, "Parameter", 0, {10}), node(20, "Add_Mul_fusion", 1, {11, 12}),
                   node(21, "Add", 1, {11}, 20), node(22, "Mul", 2, {12}, 20)};
    fused.successors = {{12, 0, 20, 0}};
    fused.rewritten = {{12, "elementwise ops fused"}};
    StageSnapshot same;
    same.pass = "dce";
    same.changed = false;
    graph.stages = {captured, fused, same};
    return graph;
}

struct Compared {
    Matching matching;
    Sequence first, second;
};
Compared compare(Told& first, Told& second) {
    Keys keys;
    Compared c;
    c.first = sequence_of(first.log(), keys);
    c.second = sequence_of(second.log(), keys);
    c.matching = match(c.first, c.second);
    return c;
}

}  // namespace

TEST(CheckMatch, EqualRunsAgree) {
    Told a, b;
    for (Told* t : {&a, &b}) t->op(kAdd, 1, {1, 2}).op(kMul, 2, {3}).op(kAdd, 1, {5});
    const Matching m = compare(a, b).matching;
    EXPECT_EQ(m.compared, 3u);
    EXPECT_EQ(m.first_outputs, 3u);
    EXPECT_TRUE(m.different.empty());
    EXPECT_EQ(m.only_first + m.only_second, 0u);
}

TEST(CheckMatch, TellsTheRunOfALineThatDiffers) {
    Told a, b;
    a.op(kAdd, 1, {1}).op(kMul, 1, {7}).op(kAdd, 1, {2}).op(kAdd, 1, {3});
    b.op(kAdd, 1, {1}).op(kMul, 1, {7}).op(kAdd, 1, {2.5}).op(kAdd, 1, {3});
    const Compared c = compare(a, b);
    ASSERT_EQ(c.matching.different.size(), 1u);
    const Pair& pair = c.matching.different[0];
    EXPECT_EQ(c.first.executions[pair.first].occurrence, 1u);
    EXPECT_EQ(static_cast<const float*>(pair.second_value->bytes)[0], 2.5f);
}

TEST(CheckMatch, PhasesOfALineAreApart) {
    Told a, b;
    a.op(kMul, 1, {1}).op(kMul, 1, {2}, 0, Phase::backward);
    b.op(kMul, 1, {2}, 0, Phase::backward).op(kMul, 1, {1});
    EXPECT_TRUE(compare(a, b).matching.different.empty());
}

TEST(CheckMatch, OtherOrderOfOneLineIsNoDifference) {
    Told a, b;
    a.op(kAdd, 1, {1}).op(kAdd, 1, {2}).op(kAdd, 1, {3});
    b.op(kAdd, 1, {3}).op(kAdd, 1, {1}).op(kAdd, 1, {2});
    EXPECT_TRUE(compare(a, b).matching.different.empty());
    Told c;
    c.op(kAdd, 1, {3}).op(kAdd, 1, {1}).op(kAdd, 1, {1});  // one of them twice is another bag
    EXPECT_FALSE(compare(a, c).matching.different.empty());
}

TEST(CheckMatch, OpsOfOneRunAloneAreCounted) {
    Told a, b;
    a.op(kAdd, 1, {1}).op(kAdd, 1, {2}).op(kMul, 3, {1});
    b.op(kAdd, 1, {1}).op(kMul, 4, {1});
    const Matching m = compare(a, b).matching;
    EXPECT_EQ(m.only_first, 2u);
    EXPECT_EQ(m.only_second, 1u);
    EXPECT_EQ(m.compared, 1u);
}

TEST(CheckMatch, AnotherShapeOrDtypeIsADifference) {
    Told a, b;
    a.op(kAdd, 1, {0, 0});
    b.op(kAdd, 1, {0});
    EXPECT_EQ(compare(a, b).matching.different.size(), 1u);
}

TEST(CheckMatch, AKernelStandsForTheOpWhoseValueItGives) {
    Told a, b;
    a.op(kAdd, 1, {1}).op(kMul, 2, {4});
    b.graph(fused_graph()).run(1).op(kFused, 1, {4}, 20);
    const Compared c = compare(a, b);
    EXPECT_EQ(c.matching.compared, 1u);  // the Add is inside the kernel
    EXPECT_TRUE(c.matching.different.empty());
    EXPECT_EQ(c.matching.only_first + c.matching.only_second, 0u);
    Told d;
    d.graph(fused_graph()).run(1).op(kFused, 1, {5}, 20);
    const Compared e = compare(a, d);
    ASSERT_EQ(e.matching.different.size(), 1u);
    const Execution& graph = e.second.executions[e.matching.different[0].second];
    EXPECT_EQ(graph.node->op, "Mul");
    EXPECT_THAT(graph.graph->members.at(20), ElementsAre(0, 1));
}

TEST(CheckMatch, RunsThatComputeNothingAreCountedToo) {
    Told a, b;
    a.op(kAdd, 1, {1}).op(kMul, 2, {4}).op(kAdd, 1, {2}).op(kMul, 2, {8});
    b.graph(fused_graph()).run(1).run(1).op(kFused, 1, {8}, 20);
    const Compared c = compare(a, b);
    EXPECT_EQ(c.matching.compared, 1u);
    EXPECT_TRUE(c.matching.different.empty());
    EXPECT_EQ(c.matching.only_first, 0u);
}

TEST(CheckMatch, LoopsAndBranchesAreTheirOpsInTheOrderOfPython) {
    GraphSnapshot graph;
    graph.id = 1;
    StageSnapshot captured;
    captured.pass = "capture";
    captured.nodes = {node(1, "Add", 1), node(2, "While", 0), node(3, "Mul", 2, {}, 2, 0), node(4, "Add", 3, {}, 2, 1),
                      node(5, "Mul", 4)};
    graph.stages = {captured};
    Told a, b;
    a.op(kAdd, 1, {1});
    for (float turn = 0; turn < 3; ++turn) a.op(kMul, 2, {turn}).op(kAdd, 3, {turn * 2});
    a.op(kMul, 2, {9}).op(kMul, 4, {3});
    b.graph(graph).run(1).op(kAdd, 1, {1}, 1);
    for (float turn = 0; turn < 3; ++turn) {
        b.region(2, 0).op(kMul, 2, {turn}, 3).region(2, 1).op(kAdd, 3, {turn * 2}, 4);
    }
    b.region(2, 0).op(kMul, 2, {9}, 3).op(kMul, 4, {3}, 5);
    const Matching m = compare(a, b).matching;
    EXPECT_EQ(m.compared, 9u);
    EXPECT_EQ(m.only_first + m.only_second, 0u);
    EXPECT_TRUE(m.different.empty());
}

TEST(CheckMap, AValueThatNoPassTellsOfStaysOrGoes) {
    GraphSnapshot graph = fused_graph();
    graph.stages[1].nodes.push_back(node(11, "Add", 1, {11}));  // kept beside the kernel
    const GraphMap map = map_graph(graph);
    ASSERT_EQ(map.captured.size(), 2u);
    EXPECT_EQ(map.captured[0].outputs[0].node, 11u);
    EXPECT_EQ(map.captured[1].outputs[0].node, 20u);
    EXPECT_EQ(map_graph(fused_graph()).captured[0].outputs[0].node, 0u);
    ASSERT_EQ(map.rewrites.size(), 1u);
    EXPECT_EQ(map.rewrites[0].op, "Mul");
    EXPECT_EQ(map.rewrites[0].frame, 2u);
}

// ---- the log

TEST(CheckLog, KeepsValuesWithinTheBudgetAndAHashOfAll) {
    Told t({8, {}, {}});
    t.op(kAdd, 1, {1, 2}).op(kAdd, 1, {1, 2});
    const Log& log = t.log();
    EXPECT_NE(log.events[0].outputs[0].bytes, nullptr);
    EXPECT_EQ(log.events[1].outputs[0].bytes, nullptr);
    EXPECT_EQ(log.events[0].outputs[0].hash, log.events[1].outputs[0].hash);
    EXPECT_TRUE(log.ended);
}

TEST(CheckLog, KeepsOnlyWhatIsAskedFor) {
    Told t({1 << 20, std::vector<std::uint64_t>{1}, {}});
    t.op(kAdd, 1, {1}).op(kAdd, 1, {2}).op(kAdd, 1, {3});
    const Log& log = t.log();
    EXPECT_EQ(log.events[0].outputs[0].bytes, nullptr);
    EXPECT_NE(log.events[1].outputs[0].bytes, nullptr);
    Told like({1 << 20, {}, std::pair{DType::Float32, Shape{2}}});
    like.op(kAdd, 1, {1}).op(kAdd, 1, {2, 3});
    EXPECT_EQ(like.log().events[0].outputs[0].bytes, nullptr);
    EXPECT_NE(like.log().events[1].outputs[0].bytes, nullptr);
}

TEST(CheckLog, MayBeCutAnywhere) {
    Told t;
    t.graph(fused_graph()).run(1).op(kFused, 1, {4}, 20).region(20, 1).op(kAdd, 1, std::vector<float>(300000));
    t.recorder().define_scope(1, "Default/fc");
    EXPECT_EQ(t.log().scope(1), "Default/fc");
    const off_t size = ::lseek(t.file(), 0, SEEK_END);
    int read = 0;
    for (off_t at = size; at > 0; at -= at > 4000 ? 99991 : 1, ++read) {
        ASSERT_EQ(::ftruncate(t.file(), at), 0);
        Keys keys;
        const Log log = read_log(t.file());
        sequence_of(log, keys);
        EXPECT_FALSE(log.ended && at < size - 8);
    }
    EXPECT_GT(read, 1000);
}

TEST(CheckLog, HashTellsEveryBitOfEverySize) {
    for (std::size_t size : {1, 7, 8, 9, 47, 48, 49, 100, 1000}) {
        std::string bytes(size, 'a');
        const std::uint64_t before = hash_of(bytes.data(), size);
        EXPECT_NE(before, hash_of(bytes.data(), size - 1)) << size;
        for (std::size_t bit = 0; bit < size * 8; ++bit) {
            bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
            ASSERT_NE(hash_of(bytes.data(), size), before) << size << ", bit " << bit;
            bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
        }
    }
}

// ---- by how much

namespace {

template <class T>
Difference between(DType dtype, const std::vector<T>& a, const std::vector<T>& b, const Tolerance& tolerance = {}) {
    Value x, y;
    x.dtype = y.dtype = dtype;
    x.shape = y.shape = Shape{static_cast<std::int64_t>(a.size())};
    x.bytes = a.data();
    y.bytes = b.data();
    return difference(x, y, tolerance);
}

constexpr float kNan = std::numeric_limits<float>::quiet_NaN(), kInf = std::numeric_limits<float>::infinity();

}  // namespace

TEST(CheckDifference, GivesTheLargestAndWhereItIs) {
    const float next = std::nextafter(2.0f, 3.0f);
    const Difference d = between<float>(DType::Float32, {1, 2, 3, 4}, {1, next, 3.5, 4});
    EXPECT_EQ(d.count, 4);
    EXPECT_EQ(d.different, 2);
    EXPECT_EQ(d.beyond, 1);
    EXPECT_EQ(d.largest_absolute, 0.5);
    EXPECT_NEAR(d.largest_relative, 0.5 / 3.5, 1e-12);
    EXPECT_EQ(d.largest_ulp, 1u << 21);
    EXPECT_THAT(d.index, ElementsAre(2));
    EXPECT_EQ(d.first, "3");
    EXPECT_EQ(d.second, "3.5");
    EXPECT_FALSE(d.within());
    EXPECT_EQ(between<float>(DType::Float32, {2}, {next}).largest_ulp, 1u);
    EXPECT_TRUE(between<float>(DType::Float32, {2}, {next}).within());
}

TEST(CheckDifference, TellsNeighboursApartInItsText) {
    const Difference d = between<float>(DType::Float32, {1.0f}, {std::nextafter(1.0f, 2.0f)});
    EXPECT_EQ(d.first, "1");
    EXPECT_EQ(d.second, "1.0000001");
}

TEST(CheckDifference, NanAndInfAreEqualOnlyToTheirLike) {
    EXPECT_EQ(between<float>(DType::Float32, {kNan, kInf, 0.0f}, {-kNan, kInf, -0.0f}).different, 0);
    EXPECT_EQ(between<float>(DType::Float32, {kNan, kInf, 0.0f}, {-kNan, kInf, -0.0f}).zero_signs, 1);
    EXPECT_FALSE(between<float>(DType::Float32, {0.0f}, {-0.0f}).none());
    EXPECT_TRUE(between<float>(DType::Float32, {kNan, 1.0f}, {-kNan, 1.0f}).none());
    for (const float other : {kNan, -kInf, 1.0f}) {
        const Difference d = between<float>(DType::Float32, {kInf}, {other}, {1e9, 1e9});
        EXPECT_EQ(d.beyond, 1) << other;
        EXPECT_TRUE(std::isinf(d.largest_absolute));
    }
    EXPECT_FALSE(between<float>(DType::Float32, {1}, {kNan}).largest_ulp);
}

TEST(CheckDifference, UlpsCrossZero) {
    const float least = std::numeric_limits<float>::denorm_min();
    EXPECT_EQ(between<float>(DType::Float32, {least}, {-least}).largest_ulp, 2u);
    EXPECT_EQ(between<double>(DType::Float64, {1.0}, {std::nextafter(1.0, 0.0)}).largest_ulp, 1u);
    EXPECT_EQ(between<std::uint16_t>(DType::Float16, {0x3c00}, {0x3c02}).largest_ulp, 2u);
    EXPECT_EQ(between<std::uint16_t>(DType::BFloat16, {0x3f80}, {0x3f7f}).largest_ulp, 1u);
}

TEST(CheckDifference, IntsMustBeEqualWhateverTheTolerance) {
    const Difference d = between<std::int32_t>(DType::Int32, {5}, {6}, {1.0, 100.0});
    EXPECT_EQ(d.beyond, 1);
    EXPECT_EQ(d.largest_absolute, 1);
    EXPECT_FALSE(d.largest_ulp);
    const std::int64_t large = (std::int64_t{1} << 60) + 1;
    EXPECT_EQ(between<std::int64_t>(DType::Int64, {large}, {large - 1}).largest_absolute, 1);
    EXPECT_EQ(between<std::uint8_t>(DType::Bool, {1}, {0}).first, "True");
}

TEST(CheckDifference, ToleranceIsTheUsersOrTheDtypes) {
    EXPECT_TRUE(between<float>(DType::Float32, {100}, {100.001f}).within());
    EXPECT_FALSE(between<float>(DType::Float32, {100}, {100.01f}).within());
    EXPECT_TRUE(between<float>(DType::Float32, {100}, {100.01f}, {1e-3, 0.0}).within());
    EXPECT_FALSE(between<float>(DType::Float32, {1}, {std::nextafter(1.0f, 2.0f)}, {0.0, 0.0}).within());
    EXPECT_TRUE(between<std::uint16_t>(DType::Float16, {0x3c00}, {0x3c01}).within());
}

TEST(CheckDifference, SaysWhatCannotBeCompared) {
    Value a, b;
    a.shape = b.shape = Shape{1};
    EXPECT_EQ(difference(a, b, {}).what, "not kept");
    b.dtype = DType::Int32;
    EXPECT_EQ(difference(a, b, {}).what, "dtype");
    EXPECT_EQ(difference(a, b, {}).second, "Int32(1,)");
}

// ---- what is printed

TEST(CheckOutput, LinesAreEqualWhenTheirNumbersAreClose) {
    const auto differs = [](const char* a, const char* b, const char* again = nullptr) {
        const std::string third = again ? again : "";
        return text_difference(a, b, again ? &third : nullptr, {}).has_value();
    };
    EXPECT_FALSE(differs("loss 0.5\n", "loss 0.5\n"));
    EXPECT_FALSE(differs("loss 0.5000001", "loss 0.5000002"));
    EXPECT_FALSE(differs("loss 0.1234", "loss 0.1235"));  // a digit of a rounded number
    EXPECT_TRUE(differs("loss 0.1234", "loss 0.1237"));
    EXPECT_TRUE(differs("class 3", "class 4"));
    EXPECT_TRUE(differs("x", "y"));
    EXPECT_TRUE(differs("a\nb\n", "a\n"));
    EXPECT_FALSE(differs("took 12.5 ms", "took 99.1 ms"));
    EXPECT_TRUE(differs("[1.0, -200.0]", "[1.0, -inf]"));
    EXPECT_TRUE(differs("at 0x7f01", "at 0x7f02"));
    EXPECT_FALSE(differs("at 0x7f01 v 3", "at 0x7f02 v 3", "at 0x7f03 v 3"));
    EXPECT_TRUE(differs("pid 17 v 3", "pid 18 v 4", "pid 19 v 3"));
    EXPECT_FALSE(differs("1\n2\n3\n", "1\n", "1\n2\n"));  // as many lines as it likes
}

TEST(CheckOutput, NamesTheFirstLineThatDiffers) {
    const auto d = text_difference("a\nb 1\nc\n", "a\nb 2\nd\n", nullptr, {});
    ASSERT_TRUE(d);
    EXPECT_EQ(d->line, 2);
    EXPECT_EQ(d->first, "b 1");
    EXPECT_EQ(d->second, "b 2");
    EXPECT_EQ(d->lines, 2);
}

TEST(CheckOutput, FindsTheExceptionInWhatPythonWrites) {
    EXPECT_EQ(exception_line("warning\nTraceback (most recent call last):\n  File \"a.py\", line 1, in <module>\n"
                             "    f()\nIndexError: out of range\n  File \"a.py\", line 3\n    f()\nmore words\n"),
              "IndexError: out of range");
    EXPECT_EQ(exception_line("Traceback (most recent call last):\n  x\nKeyError: 1\n\nDuring handling of the above "
                             "exception, another exception occurred:\n\nTraceback (most recent call last):\n"
                             "  y\nValueError\n"),
              "ValueError");
    EXPECT_EQ(exception_line("  File \"a.py\", line 1\n    x = (\n        ^\nSyntaxError: '(' was never closed\n"),
              "SyntaxError: '(' was never closed");
    EXPECT_EQ(exception_line(""), "");
    EXPECT_EQ(exception_line("Traceback (most recent call last):\n  cut"), "");
}

// ---- who is to blame

namespace {

const std::vector<std::string> kPasses = {"expand", "fold", "simplify", "cse", "fuse", "plan"};

/// A program in which rewrite `rewrite` of `pass` makes the difference, when `needs` (may be empty) is on too.
Blame blame(const std::string& pass, std::uint64_t rewrite, std::uint64_t rewrites, const std::string& needs = "") {
    return find_blame(kPasses, [&](const std::string& spec, const std::string&) {
        const auto on = [&](const std::string& name) {
            return name.empty() || ("," + spec + ",").find(",+" + name + ",") != std::string::npos ||
                   spec.find(",+" + name + "=") != std::string::npos;
        };
        std::uint64_t made = on(pass) ? rewrites : 0;
        if (const std::size_t at = spec.find(pass + "="); at != std::string::npos) {
            made = std::min(made, static_cast<std::uint64_t>(std::stoull(spec.substr(at + pass.size() + 1))));
        }
        const bool differs = on(pass) && on(needs) && (rewrites == 0 || made >= rewrite);
        return Probe{differs, made};
    });
}

}  // namespace

TEST(CheckBlame, FindsEveryPassAndEveryRewrite) {
    int looked_at = 0;
    for (const std::string& pass : kPasses) {
        for (std::uint64_t rewrites : {0, 1, 2, 7, 100}) {
            for (std::uint64_t rewrite = 1; rewrite <= std::max<std::uint64_t>(1, rewrites);
                 rewrite += 1 + rewrites / 9) {
                const Blame b = blame(pass, rewrite, rewrites);
                EXPECT_EQ(b.pass, pass);
                EXPECT_EQ(b.rewrite, rewrites ? rewrite : 0);
                EXPECT_EQ(b.rewrites, rewrites);
                EXPECT_TRUE(b.alone);
                EXPECT_EQ(b.passes, "-all,+" + pass);
                EXPECT_EQ(b.passes_with, rewrites ? b.passes + "=" + std::to_string(rewrite) : "");
                EXPECT_LE(b.runs, 13);
                ++looked_at;
            }
        }
    }
    EXPECT_GT(looked_at, 100);
}

TEST(CheckBlame, NamesThePassesThatItNeeds) {
    const Blame b = blame("fuse", 3, 5, "fold");
    EXPECT_EQ(b.pass, "fuse");
    EXPECT_FALSE(b.alone);
    EXPECT_EQ(b.passes, "-all,+expand,+fold,+simplify,+cse,+fuse");
    EXPECT_EQ(b.rewrite, 3u);
}

TEST(CheckBlame, MayBlameNoPass) {
    const Blame always = find_blame(kPasses, [](const auto&, const auto&) { return Probe{true, 0}; });
    EXPECT_EQ(always.pass, "");
    EXPECT_EQ(always.passes, "-all");
    EXPECT_EQ(always.runs, 1);
    EXPECT_EQ(find_blame({}, [](const auto&, const auto&) { return Probe{}; }).pass, "");
}

// ---- what is said

TEST(CheckReport, SaysTheSameInAllFormats) {
    CheckResult r;
    r.script = "dir/train.py";
    r.verdict = Verdict::differ;
    r.compared = 1234;
    r.different = 3;
    r.beyond = 2;
    OpDifference d;
    d.op = {"Div", {"dir/train.py", 11, "q = x / 41.0"}};
    d.dtype = "Float32";
    d.shape = "(3,)";
    d.occurrence = 2;
    d.occurrences = 5;
    d.graph = "bins";
    d.kernel = "Mul_Cast_fusion";
    d.members = {{"Div", {"dir/train.py", 11, ""}}, {"Cast", {"dir/train.py", 12, ""}}};
    d.difference = between<float>(DType::Float32, {1, 2}, {1, kInf});
    r.first = d;
    r.cause = Cause{"simplify",
                    "Rewrites.",
                    "",
                    "-all,+simplify",
                    true,
                    1,
                    4,
                    "by reciprocal",
                    {"Div", {"dir/train.py", 11, ""}},
                    "-all,+simplify=1"};
    r.differences = {d};
    r.causes = {*r.cause};
    r.doing = Doing{"cause", "-all"};
    r.output = TextDifference{3, "[1, 2]", "[1, inf]", 1};
    const std::string text = report::to_text(to_document(r));
    for (const char* part : {"train.py", "1 234 tensors", "Div at train.py:11", "q = x / 41.0", "run 2 of 5", "bins",
                             "Mul_Cast_fusion", "Cast at train.py:12", "infinite", "[1]", "The pass simplify",
                             "this is a fault of fusescope", "Rewrite 1 of 4", "--passes=-all,+simplify=1", "line 3"}) {
        EXPECT_THAT(text, HasSubstr(part));
    }
    const auto json = nlohmann::json::parse(to_json(r));
    EXPECT_EQ(json["format"], "fusescope-check");
    EXPECT_EQ(json["verdict"], "differ");
    EXPECT_EQ(json["first"]["line"], 11);
    EXPECT_EQ(json["first"]["largest_absolute"], "inf");
    EXPECT_EQ(json["first_beyond"]["op"], "Div");
    EXPECT_EQ(json["cause"]["pass"], "simplify");
    EXPECT_EQ(json["output"]["graph"], "[1, inf]");
    EXPECT_THAT(report::to_html(to_document(r)), HasSubstr("Mul_Cast_fusion"));

    std::ifstream file(FUSESCOPE_SOURCE_DIR "/resources/help/check.md");
    const std::string page((std::istreambuf_iterator<char>(file)), {});
    std::set<std::string> keys;
    const std::function<void(const nlohmann::json&)> walk = [&](const nlohmann::json& value) {
        for (const auto& [key, inner] : value.items()) {
            if (value.is_object()) keys.insert(key);
            if (inner.is_structured()) walk(inner);
        }
    };
    walk(json);
    EXPECT_GT(keys.size(), 50u);
    for (const std::string& key : keys) EXPECT_THAT(page, HasSubstr("`" + key + "`"));
}
